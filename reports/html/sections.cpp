#include "reports/html/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/html/escape.h"
#include "reports/html/svg_strip.h"
#include "reports/html/table.h"
#include "reports/words/cause_words.h"
#include "reports/words/engine_words.h"
#include "reports/words/format.h"
#include "reports/words/verdict.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::Report;
using analyzer::ScopeResult;

constexpr std::size_t name_width = 90;

// To a stretch of a timeline, with some room around it.
std::string link_to(std::size_t number, analyzer::Interval interval, std::int64_t origin,
                    const std::string& shown) {
  return fmt::format("<a href=\"#r={}&amp;t={}-{}\">{}</a>", number, interval.start - origin,
                     interval.end - origin, shown);
}

std::string tiles_of(const ScopeResult& scope) {
  std::string text = "<dl class=\"tiles\">";
  for (const auto& result : scope.measures) {
    const std::string_view name = result.measure->name;
    constexpr std::string_view shown[] = {"overlap_ratio", "overlap_efficiency",
                                          "copy_hidden",   "comm_hidden",
                                          "idle_ratio",    "wall",
                                          "busy",          "sum"};
    const bool undefined = std::holds_alternative<analyzer::Undefined>(result.value);
    if (undefined || std::find(std::begin(shown), std::end(shown), name) == std::end(shown)) {
      continue;
    }
    text += fmt::format("<div title=\"{}\"><dt>{}</dt><dd>{}</dd></div>",
                        html_text(result.measure->definition), name, format_value(result.value));
  }
  return text + "</dl>\n";
}

std::string evidence_table(const FindingResult& finding, std::size_t number, std::size_t index,
                           const ScopeResult& scope) {
  std::vector<Cells> rows;
  for (std::size_t i = 0; i < finding.evidence.size(); ++i) {
    const analyzer::Evidence& evidence = finding.evidence[i];
    std::string call = evidence.call.empty() ? "" : html_name(evidence.call, name_width);
    if (!evidence.range.empty()) call += " in " + html_name(evidence.range, name_width);
    rows.push_back({fmt::format("<a href=\"#r={}&amp;find={}.{}\">{}</a>", number, index, i,
                                format_ns(evidence.waiting.end - scope.window.start)),
                    format_ns(evidence.waiting.length()), html_name(evidence.op, name_width),
                    std::to_string(evidence.stream), html_name(evidence.held_by, name_width), call,
                    html_text(evidence.thread)});
  }
  return table_of("evidence, the longest waits", "rrlrlll",
                  {"at", "waited", "op", "stream", "held up by", "issued by", "thread"}, rows);
}

// What the fix would bring at each place alone.
std::string sites_table(const FindingResult& finding) {
  if (finding.sites.size() < 2) return "";
  std::vector<Cells> rows;
  for (const analyzer::CallSite& site : finding.sites) {
    rows.push_back({site.saving_ns ? format_ns(*site.saving_ns) : "",
                    std::to_string(site.occurrences), format_ns(site.waited_ns),
                    html_name(label_of(site), name_width)});
  }
  return table_of("place by place", "rrrl", {"fixed alone saves", "ops", "waited", "at"}, rows);
}

std::string advice_list(const ScopeResult& scope) {
  if (!scope.causes || scope.causes->advice.empty()) return "";
  std::string text = scope.causes->findings.empty() ? "<h3>What else there is to do</h3>\n<ul>"
                                                    : "<h3>Steps not taken</h3>\n<ul>";
  for (const analyzer::Advice& one : scope.causes->advice) {
    text += "<li>" + html_text(one.text) + "</li>";
  }
  return text + "</ul>\n";
}

std::string findings_list(const ScopeResult& scope, std::size_t number, std::size_t first) {
  if (!scope.causes || scope.causes->findings.empty()) return "";
  std::string text =
      "<h3>What stops it, and what putting it right would save</h3>\n"
      "<ol class=\"finding-list\">";
  std::size_t index = first;
  for (const FindingResult& finding : scope.causes->findings) {
    text += fmt::format(
        "<li><h4><a href=\"#r={}&amp;find={}\">{}</a> <span class=\"saving\">{} · {:.1f} %</span> "
        "{}</h4>\n<p>{}</p><p><strong>Fix:</strong> {}</p><p>{}</p>",
        number, index, finding.code, format_ns(finding.saving_ns), 100 * finding.saving_share,
        html_text(finding.what), html_text(finding.explanation), html_text(finding.fix),
        html_text(prediction_sentence(finding, scope)));
    if (!finding.fix_argument.empty()) {
      text += "<p><code>lapscope whatif --fix " + html_text(finding.fix_argument) + "</code></p>";
    }
    text += fmt::format("<details><summary>{} ops waited {}</summary>{}{}</details></li>\n",
                        finding.occurrences, format_ns(finding.waited_ns), sites_table(finding),
                        evidence_table(finding, number, index, scope));
    ++index;
  }
  return text + "</ol>\n";
}

std::string blame_table(const ScopeResult& scope) {
  if (!scope.causes) return "";
  std::vector<Cells> rows;
  for (const analyzer::BlameRow& row : scope.causes->blame) {
    const bool works = row.kind == analyzer::BlameKind::work;
    rows.push_back({html_text(works ? word_of_code(row.code) : row.code),
                    works ? "work" : "waiting", format_ns(row.ns),
                    format_share(row.ns, scope.window.length())});
  }
  return table_of("where the time went, along what held up what", "llrr",
                  {"what", "", "time", "share"}, rows);
}

std::string path_table(const ScopeResult& scope, std::size_t number, std::int64_t origin) {
  constexpr std::size_t shown = 12;
  if (!scope.causes) return "";
  std::vector<Cells> rows;
  for (const analyzer::PathStretch* stretch : longest_of(*scope.causes, shown)) {
    rows.push_back({link_to(number, stretch->interval, origin,
                            format_ns(stretch->interval.start - scope.window.start)),
                    format_ns(stretch->interval.length()), html_text(words_of(*stretch)),
                    html_name(owner_of(*stretch), name_width)});
  }
  return table_of("the longest parts of the way from the first op to the last", "rrll",
                  {"at", "length", "", "of"}, rows);
}

std::string gap_tables(const ScopeResult& scope, std::size_t number, std::int64_t origin) {
  std::vector<Cells> causes;
  for (const auto& [cause, ns] : causes_of(scope.gaps)) {
    causes.push_back({html_text(cause), format_ns(ns), format_share(ns, scope.gaps.total_ns)});
  }
  std::vector<Cells> longest;
  for (const analyzer::GapResult& gap : scope.gaps.longest) {
    const auto most = std::max_element(
        gap.parts.begin(), gap.parts.end(),
        [](const auto& a, const auto& b) { return a.interval.length() < b.interval.length(); });
    longest.push_back(
        {link_to(number, gap.interval, origin, format_ns(gap.interval.start - scope.window.start)),
         format_ns(gap.interval.length()), gap.next.empty() ? "" : html_name(gap.next, name_width),
         most == gap.parts.end() ? "" : std::string(code_of(most->cause)),
         most == gap.parts.end() ? "" : html_text(most->detail)});
  }
  return table_of(fmt::format("{} idle gaps, {} in all, by what kept the next op from starting",
                              scope.gaps.count, format_ns(scope.gaps.total_ns)),
                  "lrr", {"cause", "time", "share"}, causes) +
         table_of("the longest gaps", "rrlll", {"at", "length", "before", "mostly", "in"}, longest);
}

std::string detail_tables(const DeviceResult& device) {
  const ScopeResult& scope = device.scope;
  std::vector<Cells> measures;
  for (const auto& result : scope.measures) {
    const auto* undefined = std::get_if<analyzer::Undefined>(&result.value);
    measures.push_back({std::string(result.measure->name), format_value(result.value),
                        html_text(undefined ? undefined->reason : result.measure->definition)});
  }
  std::vector<Cells> states;
  for (const auto& state : scope.states) {
    states.push_back(
        {words_of(state), format_ns(state.ns), format_share(state.ns, scope.window.length())});
  }
  std::vector<Cells> streams;
  for (const auto& stream : device.streams) {
    streams.push_back({std::to_string(stream.stream.id), std::string(name_of(stream.stream.kind)),
                       format_ns(stream.busy_ns),
                       format_share(stream.busy_ns, scope.window.length()),
                       std::to_string(stream.ops)});
  }
  std::vector<Cells> groups;
  for (const auto& group : device.groups) {
    groups.push_back({html_name(group.name, name_width), std::string(word_of(group.engine)),
                      format_ns(group.sum_ns), std::to_string(group.ops),
                      group.bytes_per_s ? format_rate(*group.bytes_per_s) : ""});
  }
  return table_of("measures", "lrl", {"measure", "value", "definition"}, measures) +
         table_of("active at the same time", "lrr", {"engines", "time", "share"}, states) +
         table_of("streams", "rlrrr", {"stream", "kind", "busy", "share", "ops"}, streams) +
         table_of("ops with most time", "llrrr", {"op", "engine", "time", "ops", "rate"}, groups);
}

}  // namespace

std::string header_section(const Report& report) {
  const auto& trace = report.trace;
  const std::string_view verdict = code_of(verdict_of(report));
  std::string text = fmt::format("<header><h1>{}</h1>", html_text(trace.file));
  if (!trace.command.empty()) text += "<p>" + html_name(trace.command, 200) + "</p>";
  std::string recorded = html_text(trace.created) + " · " + html_text(trace.recorder);
  if (!trace.driver.empty()) recorded += " · driver " + html_text(trace.driver);
  if (!trace.cupti.empty()) recorded += " · CUPTI " + html_text(trace.cupti);
  if (!trace.created.empty()) text += "<p class=\"faint\">" + recorded + "</p>";
  for (const auto& row : report.health) {
    text +=
        fmt::format("<p class=\"health {}\"><strong>{}:</strong> {} {}</p>", name_of(row.severity),
                    name_of(row.severity), html_text(row.message), html_text(row.remedy));
  }
  if (!verdict.empty()) text += fmt::format("<p class=\"verdict {}\">{}</p>", verdict, verdict);
  return text + "</header>\n";
}

std::string device_section(const DeviceResult& device, std::size_t number,
                           std::size_t first_finding) {
  const ScopeResult& scope = device.scope;
  return fmt::format(
             "<section class=\"device\"><h2>{}: {} ops in {}</h2>\n<p class=\"headline\">{}</p>\n",
             html_text(title_of(device)), scope.ops, format_ns(scope.window.length()),
             html_text(headline(device))) +
         (scope.causes ? "<p>" + overlap_sentence(scope) + "</p>\n" : "") + svg_strip(device) +
         tiles_of(scope) + findings_list(scope, number, first_finding) + advice_list(scope) +
         "</section>\n";
}

std::string tables_section(const DeviceResult& device, std::size_t number, std::int64_t origin) {
  const ScopeResult& scope = device.scope;
  return "<section><h2>" + html_text(title_of(device)) + ", in tables</h2><div class=\"tables\">" +
         blame_table(scope) + path_table(scope, number, origin) +
         gap_tables(scope, number, origin) +
         "</div><details><summary>All measures, states, streams and ops</summary>"
         "<div class=\"tables\">" +
         detail_tables(device) + "</div></details></section>\n";
}

std::string trust_section(const Report& report) {
  std::string text = "<section><h2>How far to trust this</h2><ul>";
  for (const std::string& sentence : trust_sentences(report)) {
    text += "<li>" + html_text(sentence) + "</li>";
  }
  return text + "</ul></section>\n";
}

}  // namespace lapscope::reports

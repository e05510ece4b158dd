#include "reports/html/page_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "reports/html/html_markup.h"
#include "reports/words/activity_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/verdict_words.h"
#include "reports/words/word_tables.h"

namespace lapscope::reports {
namespace {

using analyzer::FindingResult;
using analyzer::Ns;
using analyzer::ScopeResult;

constexpr std::size_t name_width = 90;

std::string evidence_table(const FindingResult& finding, std::size_t number, std::size_t index,
                           Ns first_op) {
  std::vector<Cells> rows;
  for (std::size_t i = 0; i < finding.evidence.size(); ++i) {
    const analyzer::Evidence& evidence = finding.evidence[i];
    std::string call = evidence.call.empty() ? "" : html_name(evidence.call, name_width);
    if (!evidence.range.empty()) call += " in " + html_name(evidence.range, name_width);
    if (!evidence.line.empty()) call += " at " + html_text(line_words(evidence.line, name_width));
    rows.push_back({fmt::format("<a href=\"#r={}&amp;find={}.{}\">{}</a>", number, index, i,
                                format_instant(evidence.waiting.end - first_op)),
                    format_ns(evidence.waiting.length()), html_name(evidence.op, name_width),
                    std::to_string(evidence.stream),
                    html_name(words_of(evidence.blocked_by), name_width), call,
                    html_text(evidence.thread)});
  }
  return table_of("evidence, the longest waits", "rrlrlll",
                  {"at", "waited", "op", "stream", "blocked by", "issued by", "thread"}, rows);
}

std::string advice_list(const ScopeResult& scope) {
  if (!scope.causes || scope.causes->advice.empty()) return "";
  std::string text =
      scope.causes->findings.empty() ? "<h3>Advice</h3>\n<ul>" : "<h3>Other steps</h3>\n<ul>";
  for (const analyzer::Advice& one : scope.causes->advice) {
    text += "<li>" + html_text(sentences_of(one, *scope.causes)) + "</li>";
  }
  return text + "</ul>\n";
}

// Returns frames as a list. The innermost frame, frames of the program and their neighbours are
// visible. Three or more other frames in a row are collapsed.
std::string frames_list(const std::vector<analyzer::StackFrame>& frames) {
  constexpr std::size_t least_folded = 3;
  const auto is_program = [&frames](std::size_t i) {
    return i < frames.size() && frames[i].owner == analyzer::CodeOwner::program;
  };
  const auto is_shown = [&](std::size_t i) {
    return i == 0 || is_program(i - 1) || is_program(i) || is_program(i + 1);
  };
  const auto items = [&frames](std::size_t from, std::size_t to) {
    std::string text;
    for (std::size_t i = from; i < to; ++i) {
      text += "<li><code>" + html_text(frame_words(frames[i])) + "</code></li>";
    }
    return text;
  };
  std::string text = "<ol>";
  for (std::size_t from = 0; from < frames.size();) {
    std::size_t to = from + 1;
    while (to < frames.size() && is_shown(to) == is_shown(from)) ++to;
    const bool is_folded = !is_shown(from) && to - from >= least_folded;
    if (is_folded) {
      text += fmt::format(
          "</ol><details class=\"frames\"><summary>… {} frames of libraries</summary>"
          "<ol start=\"{}\">{}</ol></details><ol start=\"{}\">",
          to - from, from + 1, items(from, to), to + 1);
    } else {
      text += items(from, to);
    }
    from = to;
  }
  return text + "</ol>";
}

// Returns the first call site in the program as HTML. Below it, the whole stack is collapsed.
std::string where_line(const FindingResult& finding) {
  const std::string where = where_of(finding);
  if (where.empty()) return "";
  std::string text = "<details><summary>at <code>" + html_text(where) + "</code></summary>";
  const analyzer::CallSite& site = finding.sites.front();
  text += frames_list(site.shown_stack());
  if (!site.forward_stack.empty()) {
    text += "<p>In the backward pass:</p>" + frames_list(site.stack);
  }
  text += "</details>";
  const std::string nameless = nameless_sentence(finding);
  return nameless.empty() ? text : text + "<p class=\"faint\">" + html_text(nameless) + "</p>";
}

std::string saving_of(const FindingResult& finding, const ScopeResult& scope) {
  if (!tells_savings(scope)) return "";
  return fmt::format("<span class=\"saving\">{} · {}</span> ", format_ns(finding.saving_ns),
                     html_text(format_share(finding.saving_ns, modelled_ns(scope))));
}

std::string findings_list(const analyzer::Report& report, const ScopeResult& scope,
                          const analyzer::RangeResult* range, std::size_t number,
                          std::size_t first) {
  if (!scope.causes || scope.causes->findings.empty()) return "";
  std::string text =
      "<h3>Bottlenecks by predicted saving</h3>\n"
      "<ol class=\"finding-list\">";
  std::size_t index = first;
  for (const FindingResult& finding : scope.causes->findings) {
    text += fmt::format(
        "<li><h4><a href=\"#r={}&amp;find={}\">{}</a> "
        "{}{}</h4>\n{}<p>{}</p><p><strong>Fix:</strong> "
        "{}</p><p>{}</p>",
        number, index, finding.code, saving_of(finding, scope), html_text(words_of(finding.what)),
        where_line(finding), html_text(explanation_of(finding)), html_text(all_fixes_of(finding)),
        html_text(prediction_sentence(finding, scope)));
    text += "<p><code>" + html_text(whatif_command(report, finding, range)) + "</code></p>";
    text += fmt::format("<details><summary>{}</summary>{}{}</details></li>\n",
                        waited_words(finding), table_of(sites_table(finding, scope)),
                        evidence_table(finding, number, index, report.first_op));
    ++index;
  }
  return text + "</ol>\n";
}

std::string path_table(const analyzer::Report& report, const ScopeResult& scope,
                       std::size_t number) {
  constexpr std::size_t shown = 12;
  if (!scope.causes) return "";
  std::vector<Cells> rows;
  for (const analyzer::PathStretch* stretch : longest_of(*scope.causes, shown)) {
    const auto recorded = time_in_trace(*scope.causes, *stretch);
    rows.push_back({recorded ? link_to(report, number, *recorded,
                                       format_instant(recorded->start - report.first_op))
                             : "",
                    format_ns(stretch->interval.length()), html_text(words_of(*stretch)),
                    html_name(owner_of(*stretch), name_width)});
  }
  return table_of(
      fmt::format("the longest parts of the critical path{}", instant_note(*scope.causes)), "rrll",
      {"at", "length", "", "of"}, rows);
}

std::string gap_tables(const analyzer::Report& report, const ScopeResult& scope,
                       std::size_t number) {
  std::vector<Cells> longest;
  for (const analyzer::GapResult& gap : scope.gaps.longest) {
    const auto most = std::max_element(
        gap.parts.begin(), gap.parts.end(),
        [](const auto& a, const auto& b) { return a.interval.length() < b.interval.length(); });
    longest.push_back({link_to(report, number, gap.interval,
                               format_instant(gap.interval.start - report.first_op)),
                       format_ns(gap.interval.length()),
                       gap.next.empty() ? "" : html_name(gap.next, name_width),
                       most == gap.parts.end() ? "" : std::string(code_of(most->cause)),
                       most == gap.parts.end() ? "" : html_text(most->detail)});
  }
  if (!scope.causes) {
    for (Cells& row : longest) row.resize(3);
    return table_of(gap_causes_table(scope)) +
           table_of("the longest gaps", "rrl", {"at", "length", "before"}, longest);
  }
  return table_of(gap_causes_table(scope)) +
         table_of("the longest gaps", "rrlll", {"at", "length", "before", "mostly", "in"}, longest);
}

}  // namespace

std::string link_to(const analyzer::Report& report, std::size_t number, analyzer::Interval interval,
                    const std::string& shown) {
  const Ns origin = report.timeline ? report.timeline->extent.start : 0;
  return fmt::format("<a href=\"#r={}&amp;t={}-{}\">{}</a>", number, interval.start - origin,
                     interval.end - origin, shown);
}

std::string figures_of(const ScopeResult& scope) {
  std::string text = "<dl class=\"tiles\">";
  for (const Card& card : cards()) {
    for (const auto& result : scope.measures) {
      const bool undefined = std::holds_alternative<analyzer::Undefined>(result.value);
      if (undefined || result.measure->name != card.measure) continue;
      const auto* ratio = std::get_if<analyzer::Ratio>(&result.value);
      const bool is_percent = ratio != nullptr && card.form != Card::Form::as_measured;
      text += fmt::format("<div title=\"{}\"><dt>{}</dt><dd>{}</dd></div>",
                          html_text(card.title(*result.measure)), card.words,
                          is_percent ? html_text(format_percent(card.shown(ratio->value())))
                                     : format_value(result.value));
    }
  }
  return text + "</dl>\n";
}

std::string findings_of(const analyzer::Report& report, const ScopeResult& scope,
                        const analyzer::RangeResult* range, std::size_t number,
                        std::size_t first_finding) {
  std::string parts = findings_list(report, scope, range, number, first_finding);
  for (const WordTable& questions : questions_tables(report, scope, range))
    parts += table_of(questions);
  return parts + advice_list(scope);
}

std::string time_tables(const analyzer::Report& report, const ScopeResult& scope,
                        std::size_t number) {
  return table_of(blame_table(scope)) + path_table(report, scope, number) +
         gap_tables(report, scope, number);
}

std::string measure_tables(const ScopeResult& scope) {
  std::vector<Cells> states;
  for (const auto& state : scope.states) {
    states.push_back({words_of(state), format_ns(state.ns),
                      html_text(format_share(state.ns, scope.window.length()))});
  }
  return table_of(measures_table(scope)) + table_of(looked_for_table(scope)) +
         table_of("active at the same time", "lrr", {"engines", "time", "share"}, states);
}

}  // namespace lapscope::reports

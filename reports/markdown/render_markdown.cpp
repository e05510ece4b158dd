#include "reports/renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/markdown/markup.h"
#include "reports/text/layout.h"
#include "reports/words/format.h"
#include "reports/words/names.h"
#include "reports/words/recorder_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/tables.h"
#include "reports/words/verdict.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::Report;
using analyzer::ScopeResult;

constexpr std::size_t longest_comment = 65'536;  // GitHub's limit, in characters
constexpr std::size_t name_width = 80;

// GitHub reads Markdown inside of HTML only after an empty line.
std::string folded(const std::string& summary, const std::string& body) {
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", summary, body);
}

// `Judged` is a device, or a range of it.
template <class Judged>
std::string strips_of(const Judged& judged) {
  const analyzer::ActivityStrip& strip = judged.strip;
  if (strip.size() == 0) return "";
  constexpr std::size_t width = 60;
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < strip.size(); ++i) lengths.push_back(strip.length(i));
  const std::int64_t wall = judged.scope.window.length();
  std::string text = "```text\n";
  for (const analyzer::EngineResult& engine : judged.engines) {
    const auto& busy = strip.busy_ns[static_cast<std::size_t>(engine.engine)];
    text += fmt::format("{:<14} {} {:>7}\n", word_of(engine.engine),
                        strip_of(busy, lengths, width, {}), format_share(engine.busy_ns, wall));
  }
  if (strip.other_work() > 0) {
    text += fmt::format("{:<14} {} {:>7}\n", "other work",
                        strip_of(strip.other_work_ns, lengths, width, {}),
                        format_share(strip.other_work(), wall));
  }
  text +=
      fmt::format("{:<14} {} {:>7}\n```\n\n", "idle", strip_of(strip.idle_ns, lengths, width, {}),
                  format_share(judged.scope.gaps.total_ns, wall));
  return text;
}

std::string findings_of(const ScopeResult& scope) {
  const auto& findings = scope.causes->findings;
  std::vector<MarkdownCells> rows;
  for (const FindingResult& finding : findings) {
    rows.push_back({std::to_string(rows.size() + 1), markdown_code(finding.code, name_width),
                    format_ns(finding.saving_ns), format_percent(finding.saving_share),
                    markdown_text(finding.what)});
  }
  return markdown_table("rlrrl", {"", "cause", "saves", "", "where"}, rows) + "\n";
}

std::string finding_details(const Report& report, const FindingResult& finding,
                            const ScopeResult& scope) {
  std::string text =
      fmt::format("{}\n\n**Fix:** {}\n\n{}\n", markdown_text(finding.explanation),
                  markdown_text(finding.fix), markdown_text(prediction_sentence(finding, scope)));
  if (const WordTable sites = sites_table(finding); !sites.rows.empty()) {
    text += "\n" + markdown_table(sites);
  }
  std::vector<MarkdownCells> rows;
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(shown, finding.evidence.size()); ++i) {
    const analyzer::Evidence& evidence = finding.evidence[i];
    rows.push_back({format_instant(evidence.waiting.end - report.first_op),
                    format_ns(evidence.waiting.length()), markdown_code(evidence.op, name_width),
                    std::to_string(evidence.stream), markdown_code(evidence.held_by, name_width)});
  }
  if (!rows.empty()) {
    text += "\n" + markdown_table("rrlrl", {"at", "waited", "op", "stream", "blocked by"}, rows);
  }
  return text;
}

std::string advice_of(const ScopeResult& scope) {
  std::string text;
  for (const analyzer::Advice& one : scope.causes->advice) {
    text += "- " + markdown_text(one.text) + "\n";
  }
  return text.empty() ? "" : text + "\n";
}

std::string causes_details(const Report& report, const ScopeResult& scope) {
  std::string text;
  std::size_t number = 0;
  for (const FindingResult& finding : scope.causes->findings) {
    text += folded(
        fmt::format("{}. {}: {} ops waited {}", ++number, markdown_code(finding.code, name_width),
                    finding.occurrences, format_ns(finding.waited_ns)),
        finding_details(report, finding, scope));
  }
  if (!scope.causes->findings.empty() && !scope.causes->advice.empty()) {
    text += folded("Other steps", advice_of(scope));
  }
  return text + folded("Critical path", markdown_table(blame_table(scope))) +
         folded("Causes checked", markdown_table(looked_for_table(scope)));
}

// Nothing for a table without rows. Its caption is the summary when none is given.
std::string folded(const WordTable& table, std::string summary = "") {
  if (table.rows.empty()) return "";
  if (summary.empty()) summary = markdown_text(table.caption);
  return folded(summary, markdown_table(table));
}

std::string details_of(const Report& report, const ScopeResult& scope) {
  return (scope.causes ? causes_details(report, scope) : "") + folded(gap_causes_table(scope)) +
         folded(measures_table(scope), "All measures");
}

std::string details_of(const Report& report, const DeviceResult& device) {
  std::string text;
  for (const analyzer::RangeResult& range : device.ranges) {
    text += fmt::format("Details of {}:\n\n", markdown_text(title_of(range)));
    text += details_of(report, range.scope);
  }
  if (!device.ranges.empty()) text += "Details of the whole:\n\n";
  return text + details_of(report, device.scope) +
         folded(groups_table(device), "Ops with most time") + folded(iterations_table(device)) +
         folded(series_table(device, report.first_op), "Over time");
}

// The figures of a scope, its findings, and what to do first.
std::string figures_and_findings(const Report& report, const ScopeResult& scope,
                                 const analyzer::RangeResult* range = nullptr) {
  std::string text;
  MarkdownCells names;
  MarkdownCells values;
  for (const char* name : {"overlap_ratio", "overlap_ratio_alone", "stretch", "overlap_efficiency",
                           "copy_hidden", "comm_hidden", "idle_ratio"}) {
    const analyzer::Value* value = value_of(scope, name);
    if (value == nullptr || std::holds_alternative<analyzer::Undefined>(*value)) continue;
    names.emplace_back(name);
    values.push_back(format_value(*value));
  }
  if (!names.empty())
    text += markdown_table(std::string(names.size(), 'r'), names, {values}) + "\n";
  if (scope.causes && !scope.causes->findings.empty()) {
    const FindingResult& first = scope.causes->findings.front();
    text += findings_of(scope);
    text += fmt::format("**First:** {} {}\n\n", markdown_text(first.fix),
                        markdown_text(prediction_sentence(first, scope)));
  } else if (scope.causes) {
    text += advice_of(scope);
  }
  for (const WordTable& questions : questions_tables(report, scope, range)) {
    text += fmt::format("{}:\n\n{}\n", markdown_text(questions.caption), markdown_table(questions));
  }
  return text;
}

std::string heading(const std::string& title, const ScopeResult& scope,
                    const std::string& headline) {
  return fmt::format("#### {}: {} ops in {}\n\n**{}**\n\n", markdown_text(title), scope.ops,
                     format_ns(scope.window.length()), markdown_text(headline));
}

std::string focus_of(const DeviceResult& device) {
  std::string text;
  for (const std::string& sentence : focus_sentences(device)) {
    text += markdown_text(sentence) + "\n\n";
  }
  return text;
}

// The verdict on a device and its figures, behind those of its ranges: who asked for one wants to
// know of it first.
std::string summary_of(const Report& report, const DeviceResult& device) {
  std::string text;
  for (const analyzer::RangeResult& range : device.ranges) {
    text += heading(title_of(range, &device), range.scope, first_line(report, device, &range));
    if (range.steady) text += focus_of(device);
    if (const std::string work = work_sentences(range); !work.empty()) text += work + "\n\n";
    if (range.steady) text += strips_of(range);
    text += figures_and_findings(report, range.scope, &range);
  }
  if (steady_state_of(device)) return text;
  const std::string recorder = correction_sentences(device.scope);
  return text + heading(title_of(device), device.scope, first_line(report, device, nullptr)) +
         (recorder.empty() ? "" : markdown_text(recorder) + "\n\n") + focus_of(device) +
         strips_of(device) + figures_and_findings(report, device.scope);
}

std::string title_of_report(const Report& report) {
  const std::string_view verdict = code_of(verdict_of(report));
  // Folders of one machine mean nothing to others.
  const std::string file = report.trace.file.substr(report.trace.file.rfind('/') + 1);
  std::string text = fmt::format("### lapscope: {}{}{}\n\n", verdict, verdict.empty() ? "" : ", ",
                                 markdown_code(file, name_width));
  if (!report.trace.command.empty()) {
    text += markdown_code(report.trace.command, 2 * name_width) + "\n\n";
  }
  for (const auto& row : worst_first(report.health)) {
    text += fmt::format("> **{}:** {} {}\n\n", name_of(row.severity), markdown_text(row.message),
                        markdown_text(row.remedy));
  }
  return text;
}

std::string trust_of(const Report& report) {
  std::string text;
  for (const std::string& sentence : trust_sentences(report)) text += markdown_text(sentence) + " ";
  if (!text.empty()) text.back() = '\n';
  return text + '\n';
}

}  // namespace

void render_markdown(std::span<const Report> reports, std::ostream& out) {
  constexpr std::size_t note = 200;  // room for what is said about what is left out
  std::string text;
  std::size_t left_out = 0;
  // What comes first is most important: details give way to what follows them.
  std::size_t summaries = 0;
  for (const Report& report : reports) {
    summaries += title_of_report(report).size() + trust_of(report).size();
    for (const DeviceResult& device : report.devices)
      summaries += summary_of(report, device).size();
  }
  std::size_t room = longest_comment - std::min(longest_comment, summaries + note);
  for (const Report& report : reports) {
    text += title_of_report(report);
    for (const DeviceResult& device : report.devices) {
      text += summary_of(report, device);
      const std::string details = details_of(report, device);
      if (details.size() > room) {
        ++left_out;
        continue;
      }
      room -= details.size();
      text += details;
    }
    text += trust_of(report);
  }
  const bool cut = text.size() + note > longest_comment;
  if (cut) {
    const std::size_t end = text.rfind("\n### ", longest_comment - note);
    text.resize(end == std::string::npos || end == 0 ? text.rfind('\n', longest_comment - note)
                                                     : end + 1);
    text += "\nThe rest is left out: a comment holds 65,536 characters.\n";
  } else if (left_out > 0) {
    text += fmt::format("Details of {} devices are left out: a comment holds 65,536 characters.\n",
                        left_out);
  }
  out << text;
}

}  // namespace lapscope::reports

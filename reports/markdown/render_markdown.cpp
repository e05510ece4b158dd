#include "analyzer/analysis/verdict.h"
#include "reports/renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/markdown/markdown_markup.h"
#include "reports/text/layout.h"
#include "reports/words/activity_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"
#include "reports/words/recorder_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"
#include "reports/words/word_tables.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::Ns;
using analyzer::Report;
using analyzer::ScopeResult;

constexpr std::size_t longest_comment = 65'536;  // GitHub's limit, in characters
constexpr std::size_t where_width = 160;
constexpr std::size_t name_width = 80;

// Returns a collapsed section. GitHub reads Markdown inside HTML only after an empty line.
std::string folded(const std::string& summary, const std::string& body) {
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", summary_text(summary),
                     body);
}

// Whether one of the `scopes` has a finding with the same code and the same `what`.
bool is_among(const FindingResult& finding, const std::vector<const ScopeResult*>& scopes) {
  return std::any_of(scopes.begin(), scopes.end(), [&finding](const ScopeResult* scope) {
    if (!scope->causes) return false;
    const auto& findings = scope->causes->findings;
    return std::any_of(findings.begin(), findings.end(), [&finding](const FindingResult& other) {
      return other.code == finding.code && other.what == finding.what;
    });
  });
}

// One line of block characters for each engine. `Judged` is the result of a device or of a range.
template <class Judged>
std::string strips_of(const Judged& judged) {
  const analyzer::ActivityStrip& strip = judged.strip;
  if (strip.size() == 0) return "";
  constexpr std::size_t width = 60;
  std::vector<Ns> lengths;
  for (std::size_t i = 0; i < strip.size(); ++i) lengths.push_back(strip.length(i));
  const Ns wall = judged.scope.window.length();
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

// Returns the cause, the place, the prediction and the fix of each finding. If the same finding is
// in one of the `others`, the text has only "as above" and the saving in this scope.
std::string findings_of(const ScopeResult& scope, const std::vector<const ScopeResult*>& others) {
  std::string text;
  std::size_t number = 0;
  for (const FindingResult& finding : scope.causes->findings) {
    ++number;
    if (is_among(finding, others)) {
      const std::string saves =
          tells_savings(scope) ? fmt::format(": saves {} here", format_ns(finding.saving_ns)) : "";
      text += fmt::format("{}. {}, as above{}.\n", number, markdown_code(finding.code, name_width),
                          saves);
      continue;
    }
    text += fmt::format("{}. {}: {}\n", number, markdown_code(finding.code, name_width),
                        markdown_text(words_of(finding.what)));
    if (const std::string where = where_of(finding); !where.empty()) {
      text += fmt::format("   - At {}\n", markdown_code(where, where_width));
      const std::string nameless = nameless_sentence(finding);
      if (!nameless.empty()) text += fmt::format("   - {}\n", markdown_text(nameless));
    }
    text +=
        fmt::format("   - {}\n   - Fix: {}\n", markdown_text(prediction_sentence(finding, scope)),
                    markdown_text(all_fixes_of(finding)));
  }
  return text.empty() ? "" : text + "\n";
}

std::string finding_details(const Report& report, const ScopeResult& scope,
                            const FindingResult& finding) {
  std::string text = markdown_text(explanation_of(finding)) + "\n";
  if (const WordTable sites = sites_table(finding, scope); !sites.rows.empty()) {
    text += "\n" + markdown_table(sites);
  }
  std::vector<MarkdownCells> rows;
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(shown, finding.evidence.size()); ++i) {
    const analyzer::Evidence& evidence = finding.evidence[i];
    rows.push_back({format_instant(evidence.waiting.end - report.first_op),
                    format_ns(evidence.waiting.length()), markdown_code(evidence.op, name_width),
                    std::to_string(evidence.stream),
                    markdown_code(words_of(evidence.blocked_by), name_width)});
  }
  if (!rows.empty()) {
    text += "\n" + markdown_table("rrlrl", {"at", "waited", "op", "stream", "blocked by"}, rows);
  }
  return text;
}

std::string advice_of(const ScopeResult& scope) {
  std::string text;
  for (const analyzer::Advice& one : scope.causes->advice) {
    text += "- " + markdown_text(sentences_of(one, *scope.causes)) + "\n";
  }
  return text;
}

std::string questions_of(const Report& report, const ScopeResult& scope,
                         const analyzer::RangeResult* range) {
  std::string text;
  for (WordTable& questions : questions_tables(report, scope, range)) {
    for (auto& row : questions.rows) row.back() = without_folders(row.back());
    text += fmt::format("{}{}:\n\n{}", text.empty() ? "" : "\n", markdown_text(questions.caption),
                        markdown_table(questions));
  }
  return text;
}

// Leaves out the advice for a scope without findings, because the scope's summary already has it.
std::string causes_details(const Report& report, const ScopeResult& scope,
                           const analyzer::RangeResult* range,
                           const std::vector<const ScopeResult*>& others) {
  std::string text;
  std::size_t number = 0;
  for (const FindingResult& finding : scope.causes->findings) {
    ++number;
    if (is_among(finding, others)) continue;
    text += folded(fmt::format("{}. {}: {}", number, finding.code, waited_words(finding)),
                   finding_details(report, scope, finding));
  }
  if (!scope.causes->findings.empty()) {
    if (const std::string open = questions_of(report, scope, range); !open.empty()) {
      text += folded("What the trace cannot decide", open);
    }
    if (!scope.causes->advice.empty()) text += folded("Other steps", advice_of(scope));
  }
  return text + folded("Critical path", markdown_table(blame_table(scope))) +
         folded("Causes checked", markdown_table(looked_for_table(scope)));
}

// Returns a collapsed table, or "" without rows. The default of `summary` is the table's caption.
std::string folded(const WordTable& table, const std::string& summary = "") {
  if (table.rows.empty()) return "";
  return folded(summary.empty() ? table.caption : summary, markdown_table(table));
}

std::string details_of(const Report& report, const ScopeResult& scope,
                       const analyzer::RangeResult* range,
                       const std::vector<const ScopeResult*>& others) {
  return (scope.causes ? causes_details(report, scope, range, others) : "") +
         folded(gap_causes_table(scope)) + folded(measures_table(scope), "All measures");
}

std::string verdict_on(const std::string& title, const std::string& line,
                       const ScopeResult& scope) {
  return fmt::format("**{}**\n\n{}: {} in {}. {}\n\n", markdown_text(line), markdown_text(title),
                     counted(scope.ops, "op"), format_ns(scope.window.length()),
                     markdown_text(overlap_sentence(scope)));
}

std::string findings_or_steps(const Report& report, const ScopeResult& scope,
                              const analyzer::RangeResult* range,
                              const std::vector<const ScopeResult*>& others) {
  if (!scope.causes) return "";
  if (!scope.causes->findings.empty()) return findings_of(scope, others);
  std::string text = questions_of(report, scope, range);
  if (!text.empty()) text += "\n";
  const std::string advice = advice_of(scope);
  return text + (advice.empty() ? "" : advice + "\n");
}

std::string summary_of_whole(const Report& report, const DeviceResult& device,
                             const std::vector<const ScopeResult*>& others) {
  const std::string recorder = basis_sentences(device.scope);
  return verdict_on(title_of(device), first_line(report, device, nullptr), device.scope) +
         (recorder.empty() ? "" : markdown_text(recorder) + "\n\n") + strips_of(device) +
         findings_or_steps(report, device.scope, nullptr, others);
}

// Returns the summaries of a device's ranges, or of the whole device if it has none.
std::string summary_of(const Report& report, const DeviceResult& device) {
  if (device.ranges.empty()) return summary_of_whole(report, device, {});
  std::string text;
  std::vector<const ScopeResult*> others;
  for (const analyzer::RangeResult& range : device.ranges) {
    text += verdict_on(title_of(range, &device), first_line(report, device, &range), range.scope);
    if (const std::string work = work_sentences(range); !work.empty()) {
      text += markdown_text(work) + "\n\n";
    }
    if (range.steady) text += strips_of(range);
    text += findings_or_steps(report, range.scope, &range, others);
    others.push_back(&range.scope);
  }
  return text;
}

// Returns the collapsed details of a device: the reason for the choice of the scope, the details of
// each range, and the whole run.
std::string details_of(const Report& report, const DeviceResult& device) {
  std::string text;
  std::vector<const ScopeResult*> others;
  for (const std::string& sentence : focus_sentences(device)) {
    text += markdown_text(sentence) + "\n";
  }
  if (!text.empty()) text = folded("Why this scope", text);
  for (const analyzer::RangeResult& range : device.ranges) {
    if (device.ranges.size() > 1) {
      text += fmt::format("Details of {}:\n\n", markdown_text(title_of(range)));
    }
    text += details_of(report, range.scope, &range, others);
    others.push_back(&range.scope);
  }
  std::string whole = details_of(report, device.scope, nullptr, others);
  if (!others.empty()) {
    whole = folded("The whole run", summary_of_whole(report, device, others) + whole);
  }
  return text + whole + folded(groups_table(device), "Ops with most time") +
         folded(iterations_table(device)) +
         folded(series_table(device, report.first_op), "Over time");
}

std::string title_of_report(const Report& report) {
  const std::string_view verdict = name_of(verdict_of(report));
  const std::string file = report.trace.file.substr(report.trace.file.rfind('/') + 1);
  std::string text = fmt::format("### lapscope: {}{}{}\n\n", verdict, verdict.empty() ? "" : ", ",
                                 markdown_code(file, name_width));
  if (!report.trace.command.empty()) {
    text += markdown_code(without_folders(report.trace.command), 2 * name_width) + "\n\n";
  }
  for (const auto& row : worst_first(report.health)) {
    text += fmt::format("> **{}:** {} {}\n\n", name_of(severity_of(row)),
                        markdown_text(message_of(row)), markdown_text(remedy_of(row)));
  }
  return text;
}

std::string trust_of(const Report& report) {
  std::string text;
  for (const std::string& sentence : trust_sentences(report)) text += markdown_text(sentence) + " ";
  if (!text.empty()) text.pop_back();
  return text.empty() ? text : folded("Confidence", text);
}

}  // namespace

void render_markdown(std::span<const Report> reports, std::ostream& out) {
  constexpr std::size_t note = 200;  // characters for the note about omitted parts
  std::string text;
  std::size_t left_out = 0;
  // Summaries of all devices come first. The details get only the room that remains.
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
    text += fmt::format("Details of {} are left out: a comment holds 65,536 characters.\n",
                        counted(static_cast<std::int64_t>(left_out), "device"));
  }
  out << text;
}

}  // namespace lapscope::reports

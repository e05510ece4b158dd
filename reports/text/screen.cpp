#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "reports/text/layout.h"
#include "reports/text/text_sections.h"
#include "reports/words/accuracy.h"
#include "reports/words/activity_words.h"
#include "reports/words/advice_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"
#include "reports/words/host_time.h"
#include "reports/words/recorder_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"
#include "reports/words/word_tables.h"

// The first screen. What does not fit is left to -v, the least important first.
namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::Ns;
using analyzer::Report;
using analyzer::ScopeResult;

using Lines = std::vector<std::string>;

constexpr std::size_t most_health = 2;   // rows
constexpr std::size_t most_scopes = 4;   // besides the one that is shown in full
constexpr std::size_t most_devices = 8;  // with a line each
constexpr std::size_t few_devices = 4;
constexpr std::size_t most_of_path = 4;  // causes in a line
constexpr std::size_t most_advice = 1;
constexpr std::size_t finding_margin = 3;  // behind "1. "

// A scope of a device; `range` is null when it is the whole.
struct Shown {
  const DeviceResult* device = nullptr;
  const analyzer::RangeResult* range = nullptr;

  const ScopeResult& scope() const { return range ? range->scope : device->scope; }
};

void add(Lines& lines, const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

Lines lines_of(const std::string& text) {
  std::istringstream in(text);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

// Wrapped to the screen, each line after the first `indent` to the right; of no more than `most`
// lines, and then "…" stands for the rest.
Lines wrapped_lines(const std::string& text, const TextStyle& style, std::size_t indent,
                    std::size_t most = screen_lines) {
  Lines lines = lines_of(wrapped(text, style.width, indent));
  if (lines.size() > most) {
    lines.resize(most);
    lines.back() = shortened(lines.back(), style.width - 2) + " …";
  }
  return lines;
}

// What was asked for, and otherwise what stands for the device.
std::vector<Shown> scopes_of(const DeviceResult& device) {
  std::vector<Shown> scopes;
  for (const auto& range : device.ranges) scopes.push_back({&device, &range});
  if (!steady_state_of(device)) scopes.push_back({&device, nullptr});
  return scopes;
}

Lines health_lines(const Report& report, const TextStyle& style, bool is_all = false) {
  Lines lines;
  std::size_t left = 0;
  for (const analyzer::HealthRow& row : worst_first(report.health)) {
    const analyzer::Severity severity = severity_of(row);
    const bool is_error = severity == analyzer::Severity::error;
    const bool is_minor =
        severity == analyzer::Severity::info || (lines.size() >= most_health && !is_error);
    if (is_minor && !is_all) {
      ++left;
      continue;
    }
    std::string text = fmt::format("{}: {}", name_of(severity), printable(message_of(row)));
    const std::string remedy = remedy_of(row);
    if (is_error && !remedy.empty()) text += " " + printable(remedy);
    for (const std::string& line : wrapped_lines(text, style, 2, is_error ? 4 : 2)) {
      lines.push_back(Paint(style).of(severity, line));
    }
  }
  if (left > 0) lines.push_back(fmt::format("{} more note{}: -v", left, left == 1 ? "" : "s"));
  return lines;
}

// The command that shows all of it, and the one for a page.
std::string more_command(const Report& report) {
  const std::string file = shell_word(printable(report.trace.file));
  return fmt::format("lapscope analyze {} -v", file);
}

Lines source_lines(const Report& report, const Shown& shown, const TextStyle& style) {
  const ScopeResult& scope = shown.scope();
  return wrapped_lines(fmt::format("{}: {}, {} ops, window {} to {}", printable(report.trace.file),
                                   title_of(*shown.device), scope.ops,
                                   format_instant(scope.window.start - report.first_op),
                                   format_instant(scope.window.end - report.first_op)),
                       style, 2, 2);
}

Lines figure_lines(const ScopeResult& scope, const TextStyle& style) {
  std::string text = overlap_sentence(scope);
  text.pop_back();
  for (const auto& [name, words] : {std::pair{"copy_hidden", "of the copy time is hidden"},
                                    std::pair{"comm_hidden", "of communication is hidden"}}) {
    const analyzer::Value* value = value_of(scope, name);
    const auto* ratio = value ? std::get_if<analyzer::Ratio>(value) : nullptr;
    if (ratio) text += fmt::format("; {} {}", format_percent(ratio->value(), 0), words);
  }
  const analyzer::Value* value = value_of(scope, "overlap_ratio");
  const auto* ratio = value ? std::get_if<analyzer::Ratio>(value) : nullptr;
  // Below it there is more idle time than overlap, and it says nothing that idle time does not.
  if (ratio && ratio->value() >= 0) text += fmt::format("; overlap ratio {:.2f}", ratio->value());
  return wrapped_lines(text + ".", style, 2, 3);
}

Lines basis_lines(const Shown& shown, const TextStyle& style) {
  const analyzer::BareWall* bare = shown.range && shown.range->bare ? &*shown.range->bare : nullptr;
  const std::string text = basis_sentences(shown.scope(), bare);
  return text.empty() ? Lines{} : wrapped_lines(text, style, 2, 2);
}

// Of a fix what comes first; all of it is in the details.
std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

Lines finding_lines(const FindingResult& finding, std::size_t number, const ScopeResult& scope,
                    const TextStyle& style) {
  const Paint paint(style);
  const std::string indent(finding_margin, ' ');
  std::string where = printable(words_of(finding.what));
  if (!finding.sites.empty() && !finding.sites.front().range.empty()) {
    where += " in '" + printable(finding.sites.front().range) + "'";
  }
  const std::size_t room =
      style.width - std::min(style.width, finding_margin + finding.code.size() + 2);
  Lines lines = {fmt::format("{}. {}{}", number, paint.bold(std::string(finding.code)),
                             where.empty() ? "" : ": " + shortened(where, room))};
  const std::size_t beside = style.width - finding_margin;
  add(lines, wrapped_lines(saving_sentence(finding, scope) + ".", style, finding_margin));
  lines[1] = indent + lines[1];
  if (const std::string at = where_of(finding); !at.empty()) {
    lines.insert(lines.begin() + 1, indent + shortened("at " + at, beside));
  }
  if (finding.host_work) {
    const std::string host = printable(short_words_of(*finding.host_work));
    lines.push_back(indent + shortened("Host: " + host, beside));
  }
  const std::string fix = first_sentence(printable(fix_of(finding)));
  lines.push_back(indent + shortened("Fix: " + fix, beside));
  return lines;
}

// A heading, a finding, and that there are more.
std::size_t lines_of_one(const ScopeResult& scope) {
  const FindingResult& first = scope.causes->findings.front();
  return 5U + (where_of(first).empty() ? 0 : 1) + (first.host_work ? 1 : 0);
}

Lines finding_sections(const ScopeResult& scope, std::size_t room, const TextStyle& style) {
  const auto& findings = scope.causes->findings;
  if (findings.empty()) return {};
  const std::size_t tight = lines_of_one(scope);
  Lines lines;
  if (room >= tight) lines.push_back(Paint(style).bold("Bottlenecks by predicted saving"));
  std::size_t shown = 0;
  for (; shown < findings.size(); ++shown) {
    const Lines finding = finding_lines(findings[shown], shown + 1, scope, style);
    const bool is_last = shown + 1 == findings.size();
    if (shown > 0 && lines.size() + finding.size() + (is_last ? 0 : 1) > room) break;
    add(lines, finding);
  }
  const std::size_t left = findings.size() - shown;
  if (left > 0) lines.push_back(fmt::format("   {} more: -v", left));
  return lines;
}

// "Critical path: compute 33.9 %, host-sync 12.0 %": where no finding has a number of its own.
Lines path_lines(const ScopeResult& scope, const TextStyle& style) {
  std::string path;
  const auto& blame = scope.causes->blame;
  for (std::size_t i = 0; i < std::min(most_of_path, blame.size()); ++i) {
    const std::string share = format_share(blame[i].ns, explained_ns(scope));
    if (share.starts_with("0.0")) break;
    path += fmt::format(
        "{}{} {}", i == 0 ? "Critical path: " : ", ",
        blame[i].kind == analyzer::BlameKind::work ? word_of_code(blame[i].code) : blame[i].code,
        share);
  }
  return path.empty() ? Lines{} : wrapped_lines(path + ".", style, 2);
}

// As many whole sentences as have room; the first one in any case.
Lines advice_lines(const std::string& advice, const TextStyle& style) {
  constexpr std::size_t room = 3;
  std::string text = "Advice: " + printable(advice);
  while (lines_of(wrapped(text, style.width, 2)).size() > room) {
    const std::size_t end = text.rfind(". ", text.size() - 2);
    if (end == std::string::npos) break;
    text.resize(end + 1);
  }
  return wrapped_lines(text, style, 2, room);
}

Lines advice_lines(const ScopeResult& scope, const TextStyle& style) {
  Lines lines;
  const auto& advice = scope.causes->advice;
  for (std::size_t i = 0; i < std::min(most_advice, advice.size()); ++i) {
    add(lines, advice_lines(sentences_of(advice[i], *scope.causes), style));
  }
  return lines;
}

// What would be a finding if the trace proved more: the largest.
Lines question_lines(const Report& report, const Shown& shown, const TextStyle& style) {
  const auto tables = questions_tables(report, shown.scope(), shown.range);
  if (tables.empty()) return {};
  const auto& row = tables.front().rows.front();
  Lines lines =
      wrapped_lines(fmt::format("{}: {} saves {} ({}), {}.", tables.front().caption, row[0], row[1],
                                row[2], shortened(printable(row[3]), most_in_a_question)),
                    style, 2, 3);
  lines.push_back("  " + Paint(style).faint(row[4]));
  return lines;
}

Lines confidence_lines(const Report& report, const Shown& shown, const TextStyle& style) {
  std::string text = "Confidence: ";
  if (report.trust == analyzer::Trust::inconclusive) {
    text += "the recording is incomplete";
  } else {
    text += "recording complete";
  }
  const auto& causes = shown.scope().causes;
  if (causes) {
    text += "; model check " + format_change(causes->replay.blind_error);
    if (!causes->findings.empty()) text += "; -v explains the range";
    if (!causes->has_evidence()) {
      text += report.trace.knows.every_kind
                  ? "; records are missing (-v)"
                  : "; records are missing that `lapscope record` has (-v)";
    }
  }
  return wrapped_lines(text + ".", style, 2, 2);
}

Lines command_lines(const Report& report, const Shown& shown, const TextStyle& style) {
  const Paint paint(style);
  Lines lines;
  const auto& causes = shown.scope().causes;
  if (causes && !causes->findings.empty()) {
    lines.push_back(
        paint.faint("  " + whatif_command(report, causes->findings.front(), shown.range)));
  }
  lines.push_back(paint.faint("  " + more_command(report)));
  return lines;
}

Lines device_lines(const Report& report, const DeviceResult& shown, const TextStyle& style) {
  if (report.devices.size() < 2) return {};
  std::ostringstream out;
  print_devices(report, shown, style, out);
  Lines lines = lines_of(out.str());
  if (lines.size() > most_devices + 2) {
    lines.resize(most_devices + 2);
    lines.push_back(fmt::format("  {} more: -v", report.devices.size() - most_devices));
  }
  return lines;
}

// The other scopes, a line each.
Lines other_lines(const Report& report, const std::vector<Shown>& scopes, const TextStyle& style) {
  Lines lines;
  for (std::size_t i = 1; i < std::min(scopes.size(), most_scopes + 1); ++i) {
    add(lines, wrapped_lines(first_line(report, *scopes[i].device, scopes[i].range), style, 2, 1));
  }
  if (scopes.size() > most_scopes + 1) {
    lines.push_back(fmt::format("{} more scopes: -v", scopes.size() - most_scopes - 1));
  }
  return lines;
}

}  // namespace

void print_screen(const Report& report, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  const DeviceResult* const device = device_to_show(report);
  Lines lines;
  // Where none of the ranges that were asked for is there, a verdict would be of something else.
  const bool is_absent =
      std::any_of(report.health.begin(), report.health.end(), analyzer::is_absent_range) &&
      std::all_of(report.devices.begin(), report.devices.end(),
                  [](const DeviceResult& one) { return one.ranges.empty(); });
  if (device == nullptr || is_absent) {
    lines.push_back(printable(report.trace.file));
    add(lines, health_lines(report, style, true));
    if (report.health.empty()) lines.push_back("Inconclusive: the trace holds no GPU work.");
    for (const std::string& line : lines) out << line << '\n';
    return;
  }
  const std::vector<Shown> scopes = scopes_of(*device);
  const Shown& shown = scopes.front();
  const ScopeResult& scope = shown.scope();
  for (const std::string& line :
       wrapped_lines(first_line(report, *device, shown.range), style, 2, 3)) {
    lines.push_back(paint.bold(line));
  }
  add(lines, health_lines(report, style));
  add(lines, source_lines(report, shown, style));
  // A list of many devices has the same figures.
  if (report.devices.size() <= few_devices) {
    add(lines, figure_lines(scope, style));
    add(lines, basis_lines(shown, style));
  }

  Lines end = device_lines(report, *device, style);
  add(end, other_lines(report, scopes, style));
  add(end, confidence_lines(report, shown, style));
  add(end, command_lines(report, shown, style));

  std::ostringstream strips;
  print_strips(shown.range ? shown.range->strip : device->strip,
               shown.range ? shown.range->engines : device->engines, scope, style, strips);
  Lines picture = lines_of(strips.str());

  const auto room = [&] {
    return screen_lines - std::min(screen_lines, lines.size() + end.size());
  };
  const auto apart = [&] {
    if (room() > 0) lines.emplace_back();
  };
  const bool has_findings = scope.causes && !scope.causes->findings.empty();
  const std::size_t least = has_findings ? lines_of_one(scope) : 0;
  if (picture.size() + least <= room()) add(lines, picture);
  if (has_findings) {
    if (room() > least) apart();
    add(lines, finding_sections(scope, room(), style));
  } else if (scope.causes) {
    for (const Lines& part : {question_lines(report, shown, style), advice_lines(scope, style),
                              path_lines(scope, style)}) {
      if (part.size() <= room()) add(lines, part);
    }
  }
  apart();
  add(lines, end);
  for (const std::string& line : lines) out << line << '\n';
}

void print_strips(const analyzer::ActivityStrip& strip,
                  const std::vector<analyzer::EngineResult>& engines, const ScopeResult& scope,
                  const TextStyle& style, std::ostream& out) {
  constexpr std::size_t margin = 2;
  constexpr std::size_t label = 14;
  constexpr std::size_t others = 2 * margin + label + 10;  // and the column of shares
  if (strip.size() == 0 || style.width < others + 10) return;
  const std::size_t width = std::min(style.width - others, strip.size());
  const Paint paint(style);
  std::vector<Ns> lengths;
  for (std::size_t i = 0; i < strip.size(); ++i) lengths.push_back(strip.length(i));
  const Ns wall = scope.window.length();
  const auto share = [wall](Ns ns) { return fmt::format("{:>8}", format_share(ns, wall)); };
  for (const analyzer::EngineResult& engine : engines) {
    const auto& busy = strip.busy_ns[static_cast<std::size_t>(engine.engine)];
    fmt::print(out, "  {:<14}  {}{}\n", word_of(engine.engine),
               paint.of(engine.engine, strip_of(busy, lengths, width, style)),
               share(engine.busy_ns));
  }
  if (strip.other_work() > 0) {
    fmt::print(out, "  {:<14}  {}{}\n", "other work",
               paint.faint(strip_of(strip.other_work_ns, lengths, width, style)),
               share(strip.other_work()));
  }
  fmt::print(out, "  {:<14}  {}{}\n", "idle",
             paint.faint(strip_of(strip.idle_ns, lengths, width, style)),
             share(scope.gaps.total_ns));
}

}  // namespace lapscope::reports

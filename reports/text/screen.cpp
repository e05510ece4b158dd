#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "reports/text/layout.h"
#include "reports/text/text_sections.h"
#include "reports/words/accuracy.h"
#include "reports/words/activity_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"
#include "reports/words/recorder_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"
#include "reports/words/word_tables.h"

// Prints the first screen. The least important lines are left out if they do not fit. With -v,
// lapscope prints all results instead of this screen.
namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::Ns;
using analyzer::Report;
using analyzer::ScopeResult;

constexpr std::size_t most_health = 2;   // rows
constexpr std::size_t most_scopes = 4;   // in addition to the one shown in full
constexpr std::size_t most_devices = 8;  // one line each
constexpr std::size_t few_devices = 4;
constexpr std::size_t most_of_path = 4;  // causes on one line
constexpr std::size_t most_advice = 1;
constexpr std::size_t most_of_advice = 3;  // lines

// A scope of a device; `range` is null for the whole device.
struct Shown {
  const DeviceResult* device = nullptr;
  const analyzer::RangeResult* range = nullptr;

  const ScopeResult& scope() const { return range ? range->scope : device->scope; }
};

// The ranges of a device, and the whole device if there is no steady state.
std::vector<Shown> scopes_of(const DeviceResult& device) {
  std::vector<Shown> scopes;
  for (const auto& range : device.ranges) scopes.push_back({&device, &range});
  if (!steady_state_of(device)) scopes.push_back({&device, nullptr});
  return scopes;
}

// Returns the notes on the recording. If the verdict already names a problem, the note on this
// problem has only its remedy, unless `is_all` is true.
Lines health_lines(const Report& report, const TextStyle& style, bool is_all = false) {
  Lines lines;
  const analyzer::HealthRow* failed = is_all ? nullptr : analyzer::failed_work(report.health);
  const auto said_first = failed ? std::optional(failed->kind) : std::nullopt;
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
    const std::string remedy = remedy_of(row);
    std::string text = fmt::format("{}: {}", name_of(severity), printable(message_of(row)));
    if (said_first == row.kind) {
      text = fmt::format("{}: {}", name_of(severity), printable(remedy));
    } else if (is_error && !remedy.empty()) {
      text += " " + printable(remedy);
    }
    for (const std::string& line : wrapped_lines(text, style, 2, is_error ? 4 : 2)) {
      lines.push_back(Paint(style).of(severity, line));
    }
  }
  if (left > 0) {
    lines.push_back(fmt::format("{}{} note{} on the recording: -v", left,
                                lines.empty() ? "" : " more", left == 1 ? "" : "s"));
  }
  return lines;
}

std::string more_command(const Report& report) {
  const std::string file = shell_word(printable(report.trace.file));
  return fmt::format("lapscope analyze {} -v", file);
}

Lines source_lines(const Report& report, const Shown& shown, const TextStyle& style) {
  return wrapped_lines(second_line(report, *shown.device, shown.range), style, 2, 4);
}

// Returns the overlap sentence. If ops overlap, the hidden shares of copies and of communication
// follow. A share is left out if its copies or its communication take little time.
Lines figure_lines(const ScopeResult& scope, const TextStyle& style) {
  std::string text = overlap_sentence(scope);
  text.pop_back();
  const bool is_any_hidden = ns_of(scope, "sum") != ns_of(scope, "busy");
  for (const auto& [name, words] : {std::pair{"copy_hidden", "of the copy time is hidden"},
                                    std::pair{"comm_hidden", "of communication is hidden"}}) {
    const analyzer::Value* value = value_of(scope, name);
    const auto* ratio = value ? std::get_if<analyzer::Ratio>(value) : nullptr;
    if (!ratio || !is_any_hidden) continue;
    if (!is_noteworthy(ratio->denominator, scope.window.length())) continue;
    text += fmt::format("; {} {}", format_percent(ratio->value(), 0), words);
  }
  return wrapped_lines(text + ".", style, 2, 3);
}

// The basis of the savings: the wall time, the sample, and an estimate of the recorder's own time.
Lines basis_lines(const Shown& shown, const TextStyle& style) {
  Lines lines;
  for (const std::string& text : screen_basis(shown.scope())) {
    add(lines, wrapped_lines(text, style, 2, 3));
  }
  return lines;
}

// Whether the largest part of the critical path is a wait, and every finding saves less than half
// of this wait. Also true if there are no findings.
bool waits_for_other(const ScopeResult& scope) {
  const auto& [findings, blame] = std::tie(scope.causes->findings, scope.causes->blame);
  if (findings.empty()) return true;
  if (blame.empty() || blame.front().kind == analyzer::BlameKind::work) return false;
  return std::none_of(findings.begin(), findings.end(), [&](const FindingResult& one) {
    return 2 * one.saving_ns >= blame.front().ns;
  });
}

// Returns the largest parts of the critical path, such as "Critical path: compute 33.9 %, host-sync
// 12.0 %." Empty if waits_for_other() is false.
Lines path_lines(const ScopeResult& scope, const TextStyle& style) {
  std::string path;
  if (!waits_for_other(scope)) return {};
  const auto& blame = scope.causes->blame;
  for (std::size_t i = 0; i < std::min(most_of_path, blame.size()); ++i) {
    const std::string share = format_share(blame[i].ns, explained_ns(scope));
    if (share.starts_with('<') || share == format_percent(0)) break;
    path += fmt::format(
        "{}{} {}", i == 0 ? "Critical path: " : ", ",
        blame[i].kind == analyzer::BlameKind::work ? word_of_code(blame[i].code) : blame[i].code,
        share);
  }
  return path.empty() ? Lines{} : wrapped_lines(path + ".", style, 2);
}

Lines advice_lines(const ScopeResult& scope, const TextStyle& style) {
  Lines lines;
  const auto& advice = scope.causes->advice;
  for (std::size_t i = 0; i < std::min(most_advice, advice.size()); ++i) {
    add(lines, wrapped_lines("Advice: " + printable(sentences_of(advice[i], *scope.causes)), style,
                             2, most_of_advice));
  }
  return lines;
}

// Returns the first question.
Lines question_lines(const Report& report, const Shown& shown, const TextStyle& style) {
  const auto tables = questions_tables(report, shown.scope(), shown.range);
  if (tables.empty()) return {};
  const auto& row = tables.front().rows.front();
  Lines lines =
      wrapped_lines(fmt::format("{}: {} saves {} ({}), {}.", tables.front().caption, row[0], row[1],
                                row[2], cut_inside(row[3], most_in_a_question)),
                    style, 2, 3);
  lines.push_back("  " + Paint(style).faint(row[4]));
  return lines;
}

Lines confidence_lines(const Report& report, const Shown& shown, const TextStyle& style) {
  std::string text = "Confidence: ";
  if (report.trust == analyzer::Trust::inconclusive) {
    text += analyzer::failed_work(report.health) ? "work is missing, as calls failed"
                                                 : "the recording is incomplete";
  } else {
    text += "recording complete";
  }
  const auto& causes = shown.scope().causes;
  if (causes) {
    text += "; model check " + format_change(causes->replay.blind_error);
    const auto has_range = [](const FindingResult& one) { return one.predicted.validity.band; };
    if (tells_savings(shown.scope()) &&
        std::any_of(causes->findings.begin(), causes->findings.end(), has_range)) {
      text += "; -v explains the range";
    }
    if (!causes->has_evidence()) {
      text += report.trace.knows.every_kind
                  ? "; records are missing (-v)"
                  : "; records are missing that `lapscope record` has (-v)";
    }
  }
  return wrapped_lines(text + ".", style, 2, 2);
}

// Returns a number of lines that is enough for every verdict. For a narrow screen, adds 2 lines,
// because lines are not filled to the end.
std::size_t lines_of_verdict(const TextStyle& style) {
  constexpr std::size_t usual = 80;
  constexpr std::size_t most = 3;
  return style.width >= usual ? most : most * usual / style.width + 2;
}

// Returns a warning if the model of the predictions is far off.
Lines doubt_lines(const ScopeResult& scope, const TextStyle& style) {
  const std::string text = doubt_sentence(scope);
  const bool is_said = analyzer::headline_of(scope).about == analyzer::Headline::About::finding;
  if (text.empty() || is_said) return {};
  Lines lines;
  for (const std::string& line : wrapped_lines("warning: " + text, style, 2, 3)) {
    lines.push_back(Paint(style).of(analyzer::Severity::warning, line));
  }
  return lines;
}

Lines command_lines(const Report& report, const Shown& shown, const TextStyle& style) {
  const Paint paint(style);
  Lines lines;
  const auto& causes = shown.scope().causes;
  if (tells_savings(shown.scope()) && !causes->findings.empty()) {
    lines.push_back(
        paint.faint("  " + whatif_command(report, causes->findings.front(), shown.range)));
  }
  lines.push_back(paint.faint("  " + more_command(report)));
  return lines;
}

// Returns a heading and the lines of the devices that fit, at least one. A last line has the number
// of the other devices. The heading names the device `shown`, because its results follow.
Lines device_lines(const Report& report, const DeviceResult& shown, std::size_t room,
                   const TextStyle& style) {
  if (report.devices.size() < 2) return {};
  const ScopeResult& scope = scope_to_show(shown);
  const bool has_most = tells_savings(scope) && !scope.causes->findings.empty();
  const std::string heading =
      fmt::format("{} devices; below: device {}{} (-v: all)", report.devices.size(), shown.id,
                  has_most ? ", with the most to gain" : "");
  using Align = Table::Align;
  Table table({Align::right, Align::left, Align::right, Align::right, Align::right, Align::left});
  table.add({"", "", "ops", "wall", "busy", "verdict"});
  constexpr std::size_t beside = 68;  // most columns of the other cells
  const std::size_t most_of_name = style.width > beside + 6 ? style.width - beside : 0;
  for (const DeviceResult& device : report.devices) {
    const ScopeResult& judged = judged_of(device);
    table.add({std::to_string(device.id), shortened(device.name, most_of_name),
               std::to_string(judged.ops), format_ns(judged.window.length()),
               format_share(ns_of(judged, "busy"), judged.window.length()), short_verdict(judged)});
  }
  std::ostringstream out;
  out << fmt::format("{}\n", Paint(style).bold(wrapped(heading, style.width, 0)));
  table.print(out, 2);
  Lines lines = lines_of(out.str());
  constexpr std::size_t least = 4;  // with a heading and the column names
  room = std::max(std::min(room, most_devices + 3), least + 1);
  if (lines.size() > room) {
    lines.resize(room - 1);
    const auto left = static_cast<std::int64_t>(report.devices.size() + 3 - room);
    lines.push_back("  " + counted(left, "more device") + ": -v");
  }
  return lines;
}

// Returns one line for each of the other scopes.
Lines other_lines(const Report& report, const std::vector<Shown>& scopes, const TextStyle& style) {
  Lines lines;
  for (std::size_t i = 1; i < std::min(scopes.size(), most_scopes + 1); ++i) {
    add(lines, wrapped_lines(short_line(report, *scopes[i].device, scopes[i].range), style, 2, 1));
  }
  if (scopes.size() > most_scopes + 1) {
    const auto left = static_cast<std::int64_t>(scopes.size() - most_scopes - 1);
    lines.push_back(counted(left, "more scope") + ": -v");
  }
  return lines;
}

}  // namespace

void print_screen(const Report& report, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  const DeviceResult* const device = device_to_show(report);
  Lines lines;
  // If the trace has none of the requested ranges, prints only the notes on the recording. A
  // verdict would be about another scope than the user asked for.
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
       wrapped_lines(first_line(report, *device, shown.range), style, 2, lines_of_verdict(style))) {
    lines.push_back(paint.bold(line));
  }
  add(lines, doubt_lines(scope, style));
  add(lines, health_lines(report, style));
  const auto above = static_cast<std::ptrdiff_t>(lines.size());
  add(lines, source_lines(report, shown, style));
  // If there are more than a few devices, the list of devices already has these figures.
  if (report.devices.size() <= few_devices) add(lines, figure_lines(scope, style));
  add(lines, basis_lines(shown, style));

  Lines end = other_lines(report, scopes, style);
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
  const std::size_t least = has_findings ? lines_of_one(scope, style) : 0;
  // If there are several devices, their list comes before the results of the shown device.
  const Lines devices = device_lines(report, *device, room() - std::min(room(), least), style);
  lines.insert(lines.begin() + above, devices.begin(), devices.end());
  if (picture.size() + least > room()) picture = {"No room for the timeline here: -v."};
  if (picture.empty() && scope.window.length() > 0) {
    picture = {"Too few columns for the timeline."};
  }
  add(lines, picture);
  if (has_findings) {
    if (room() > least) apart();
    const Lines path = path_lines(scope, style);
    const std::size_t beside = least + path.size() <= room() ? path.size() : 0;
    add(lines, finding_sections(scope, room() - beside, style));
    if (beside > 0) add(lines, path);
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
  constexpr std::size_t others = 2 * margin + label + 10;  // including the column of shares
  if (strip.size() == 0 || style.width < others + 10) return;
  const std::size_t width = std::min(style.width - others, strip.size());
  const Paint paint(style);
  std::vector<Ns> lengths;
  for (std::size_t i = 0; i < strip.size(); ++i) lengths.push_back(strip.length(i));
  const Ns wall = scope.window.length();
  const auto share = [wall](Ns ns) { return fmt::format("{:>8}", format_share(ns, wall)); };
  for (const analyzer::EngineResult& engine : engines) {
    const auto& busy = strip.busy_ns[static_cast<std::size_t>(engine.engine)];
    out << fmt::format("  {:<14}  {}{}\n", word_of(engine.engine),
                       paint.of(engine.engine, strip_of(busy, lengths, width, style)),
                       share(engine.busy_ns));
  }
  if (strip.other_work() > 0) {
    out << fmt::format("  {:<14}  {}{}\n", "other work",
                       paint.faint(strip_of(strip.other_work_ns, lengths, width, style)),
                       share(strip.other_work()));
  }
  out << fmt::format("  {:<14}  {}{}\n", "idle",
                     paint.faint(strip_of(strip.idle_ns, lengths, width, style)),
                     share(scope.gaps.total_ns));
}

}  // namespace lapscope::reports

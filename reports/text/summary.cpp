#include "reports/text/sections.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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
using analyzer::ScopeResult;
using Align = Table::Align;

constexpr std::size_t summary_indent = 2;
constexpr std::size_t shown_findings = 5;        // more would hide what matters
constexpr std::size_t shown_times = 3;           // rows of where time went or was lost
constexpr std::size_t most_in_a_sentence = 400;  // characters: names in it may be of any length
constexpr std::size_t most_in_a_question = 48;

std::string sentence(std::string_view text, const TextStyle& style) {
  return wrapped(text, style.width, summary_indent);
}

void print_heading(std::string_view text, const TextStyle& style, std::ostream& out) {
  fmt::print(out, "\n  {}\n", Paint(style).bold(sentence(text, style)));
}

// `Judged` is a device, or a range of it.
template <class Judged>
void print_strips(const Judged& judged, const TextStyle& style, std::ostream& out) {
  const analyzer::ActivityStrip& strip = judged.strip;
  constexpr std::size_t label = 14;
  constexpr std::size_t others = 2 * summary_indent + label + 10;  // and the column of shares
  if (strip.size() == 0 || style.width < others + 10) return;
  const std::size_t width = std::min(style.width - others, strip.size());
  const Paint paint(style);
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < strip.size(); ++i) lengths.push_back(strip.length(i));
  const std::int64_t wall = judged.scope.window.length();
  const auto share = [wall](std::int64_t ns) {
    return fmt::format("{:>8}", format_share(ns, wall));
  };
  out << '\n';
  for (const analyzer::EngineResult& engine : judged.engines) {
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
             share(judged.scope.gaps.total_ns));
  const std::string end = format_ns(wall);
  if (width > end.size() + 2) fmt::print(out, "{:18}0{:>{}}\n", "", end, width - 1);
}

// The figures that say how much overlaps, two in a line where they fit; what they mean when
// verbose. What has no value is left out.
void print_figures(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> figures = {{
      {"overlap_ratio", "0: fully serial; negative: idle outweighs overlap"},
      {"overlap_ratio_alone", "the same, of kernels what they take alone"},
      {"stretch", "how many times as long as alone kernels take"},
      {"overlap_efficiency", "share of the possible saving that was made"},
      {"copy_hidden", "share of copy time beside compute"},
      {"comm_hidden", "share of communication beside other compute"},
      {"idle_ratio", "idle / wall"},
  }};
  // Where that is so, they say nothing that overlap_ratio does not.
  const analyzer::Value* stretch = value_of(scope, "stretch");
  const bool is_as_long_as_alone = stretch && format_value(*stretch) == "1.000";
  const bool is_narrow = style.width < 56;
  Table table(style.verbose ? std::vector{Align::left, Align::right, Align::left}
                            : std::vector{Align::left, Align::right, Align::left, Align::right});
  std::vector<std::string> row;
  for (const auto& [name, meaning] : figures) {
    const analyzer::Value* value = value_of(scope, name);
    if (value == nullptr || std::holds_alternative<analyzer::Undefined>(*value)) continue;
    if (is_as_long_as_alone && (name == "stretch" || name == "overlap_ratio_alone")) continue;
    if (style.verbose) {
      table.add({std::string(name), format_value(*value), std::string(meaning)});
      continue;
    }
    row.insert(row.end(), {std::string(name), format_value(*value)});
    if (row.size() == (is_narrow ? 2 : 4)) {
      row.resize(4);
      table.add(std::exchange(row, {}));
    }
  }
  if (!row.empty()) table.add({row[0], row[1], "", ""});
  out << '\n';
  table.print(out, summary_indent);
}

void print_findings(const ScopeResult& scope, const analyzer::RangeResult* range,
                    const TextStyle& style, std::ostream& out) {
  const auto& findings = scope.causes->findings;
  if (findings.empty()) return;
  const Paint paint(style);
  print_heading("what stops it, and what putting it right would save", style, out);
  Table table({Align::right, Align::left, Align::right, Align::right, Align::left});
  std::size_t codes = 0;
  for (std::size_t i = 0; i < std::min(shown_findings, findings.size()); ++i) {
    codes = std::max(codes, findings[i].code.size());
  }
  // What the other columns take; a few letters say nothing.
  const std::size_t beside = codes + 31;
  const std::size_t screen = style.width >= beside + 8 ? style.width - beside : 0;
  for (std::size_t i = 0; i < std::min(shown_findings, findings.size()); ++i) {
    const FindingResult& finding = findings[i];
    table.add({fmt::format("{}.", i + 1), std::string(finding.code), format_ns(finding.saving_ns),
               fmt::format("{:.1f} %", 100 * finding.saving_share),
               shortened(finding.what, screen)});
  }
  table.print(out, 2 * summary_indent);
  if (findings.size() > shown_findings) {
    fmt::print(out, "    and {} smaller ones: --verbose\n", findings.size() - shown_findings);
  }
  const FindingResult& first = findings.front();
  constexpr std::string_view begin = "first:";
  const std::string advice = sentence(
      fmt::format("{} {} {}", begin, shortened(printable(first.explanation), most_in_a_sentence),
                  printable(first.fix)),
      style);
  fmt::print(out, "\n  {}{}\n  {}\n", paint.bold(begin), advice.substr(begin.size()),
             sentence(prediction_sentence(first, scope), style));
  fmt::print(out, "  {}\n", paint.faint(sentence(whatif_command(first, range), style)));
}

void print_questions(const ScopeResult& scope, const analyzer::RangeResult* range,
                     const TextStyle& style, std::ostream& out) {
  for (const WordTable& questions : questions_tables(scope, range)) {
    print_heading(questions.caption, style, out);
    for (const auto& row : questions.rows) {
      fmt::print(out, "    {}\n",
                 wrapped(fmt::format("{}  {}  {}  {}: {}", row[0], row[1], row[2],
                                     shortened(printable(row[3]), most_in_a_question), row[4]),
                         style.width, 3 * summary_indent));
    }
  }
}

void print_blame(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  const auto& blame = scope.causes->blame;
  if (blame.empty()) return;
  print_heading("where the time went, along what held up what", style, out);
  Table table({Align::left, Align::right, Align::right, Align::left});
  for (std::size_t i = 0; i < std::min(shown_times, blame.size()); ++i) {
    const bool works = blame[i].kind == analyzer::BlameKind::work;
    table.add({std::string(works ? word_of_code(blame[i].code) : blame[i].code),
               format_ns(blame[i].ns), format_share(blame[i].ns, explained_ns(scope)),
               works ? "work" : "waiting"});
  }
  table.print(out, 2 * summary_indent);
}

void print_idle(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  if (scope.gaps.count == 0) return;
  print_heading(
      fmt::format("idle: {} gaps, {} in all{}", scope.gaps.count, format_ns(scope.gaps.total_ns),
                  scope.gaps.by_cause ? ", by what kept the next op from starting" : ""),
      style, out);
  const auto causes = causes_of(scope.gaps);
  Table table({Align::left, Align::right, Align::right});
  for (std::size_t i = 0; i < std::min(shown_times, causes.size()); ++i) {
    table.add({causes[i].first, format_ns(causes[i].second),
               format_share(causes[i].second, scope.gaps.total_ns)});
  }
  table.print(out, 2 * summary_indent);
}

void print_verdict(const std::string& title, const std::string& headline, const ScopeResult& scope,
                   const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  const std::string heading =
      fmt::format("{}: {} ops in {}", title, scope.ops, format_ns(scope.window.length()));
  fmt::print(out, "\n{}\n  {}\n", paint.bold(wrapped(heading, style.width, 0)),
             paint.bold(sentence(headline, style)));
}

void print_overlap(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  if (scope.causes) fmt::print(out, "  {}\n", sentence(overlap_sentence(scope), style));
}

void print_focus(const DeviceResult& device, const TextStyle& style, std::ostream& out) {
  for (const std::string& line : focus_sentences(device)) {
    fmt::print(out, "  {}\n", sentence(line, style));
  }
}

// `range` is null when the scope is a whole device.
void print_figures_and_findings(const ScopeResult& scope, const analyzer::RangeResult* range,
                                const TextStyle& style, Screen screen, std::ostream& out) {
  // When verbose all of them follows.
  const bool with_tables = !style.verbose && screen == Screen::whole;
  print_figures(scope, style, out);
  if (scope.causes) {
    print_findings(scope, range, style, out);
    print_questions(scope, range, style, out);
    if (with_tables) print_blame(scope, style, out);
    if (scope.causes->findings.empty() || style.verbose) print_advice(scope, style, out);
  }
  if (with_tables) print_idle(scope, style, out);
}

}  // namespace

void print_summary(const DeviceResult& device, const TextStyle& style, Screen screen,
                   std::ostream& out) {
  print_verdict(title_of(device), headline(device), device.scope, style, out);
  print_overlap(device.scope, style, out);
  const std::string recorder = correction_sentences(device.scope);
  if (!recorder.empty()) fmt::print(out, "  {}\n", sentence(recorder, style));
  if (!steady_state_of(device)) print_focus(device, style, out);
  print_strips(device, style, out);
  print_figures_and_findings(device.scope, nullptr, style, screen, out);
}

void print_summary(const analyzer::RangeResult& range, const DeviceResult& device, Screen screen,
                   const TextStyle& style, std::ostream& out) {
  // One device is all that a range can be of.
  const DeviceResult* const named = screen == Screen::whole ? nullptr : &device;
  print_verdict(title_of(range, range.steady ? &device : named), headline(range), range.scope,
                style, out);
  // The first screen has room for one of these.
  if (range.steady) {
    print_focus(device, style, out);
  } else {
    print_overlap(range.scope, style, out);
  }
  const std::string work = work_sentences(range);
  if (!work.empty()) fmt::print(out, "  {}\n", sentence(work, style));
  if (range.steady) print_strips(range, style, out);
  print_figures_and_findings(range.scope, &range, style, screen, out);
}

}  // namespace lapscope::reports

#include "reports/text/text_sections.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "reports/text/layout.h"
#include "reports/words/format.h"
#include "reports/words/recorder_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"
#include "reports/words/word_tables.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Ns;
using analyzer::ScopeResult;

constexpr std::size_t summary_indent = 2;

std::string sentence(std::string_view text, const TextStyle& style) {
  return wrapped(text, style.width, summary_indent);
}

void print_heading(std::string_view text, const TextStyle& style, std::ostream& out) {
  fmt::print(out, "\n  {}\n", Paint(style).bold(sentence(text, style)));
}

void print_questions(const analyzer::Report& report, const ScopeResult& scope,
                     const analyzer::RangeResult* range, const TextStyle& style,
                     std::ostream& out) {
  for (const WordTable& questions : questions_tables(report, scope, range)) {
    print_heading(questions.caption, style, out);
    for (const auto& row : questions.rows) {
      fmt::print(out, "    {}\n      {}\n",
                 wrapped(fmt::format("{}: {} ({}), {}", row[0], row[1], row[2],
                                     cut_inside(row[3], most_in_a_question)),
                         style.width, 3 * summary_indent),
                 row[4]);
    }
  }
}

void print_verdict(const std::string& title, const std::string& line, const ScopeResult& scope,
                   Ns first_op, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  const std::string heading =
      fmt::format("{}: {} in {}, from {} on", title, counted(scope.ops, "op"),
                  format_ns(scope.window.length()), format_instant(scope.window.start - first_op));
  fmt::print(out, "\n{}\n  {}\n  {}\n", paint.bold(wrapped(heading, style.width, 0)),
             paint.bold(sentence(line, style)), sentence(overlap_sentence(scope), style));
}

void print_focus(const DeviceResult& device, const TextStyle& style, std::ostream& out) {
  for (const std::string& line : focus_sentences(device)) {
    fmt::print(out, "  {}\n", sentence(line, style));
  }
}

// Prints the questions and the advice of a scope. `range` is null if the scope is a whole device.
void print_questions_and_advice(const analyzer::Report& report, const ScopeResult& scope,
                                const analyzer::RangeResult* range, const TextStyle& style,
                                std::ostream& out) {
  if (!scope.causes) return;
  print_questions(report, scope, range, style, out);
  print_advice(scope, style, out);
}

}  // namespace

void print_summary(const analyzer::Report& report, const DeviceResult& device,
                   const TextStyle& style, std::ostream& out) {
  print_verdict(title_of(device), first_line(report, device, nullptr), device.scope,
                report.first_op, style, out);
  const std::string recorder = basis_sentences(device.scope);
  if (!recorder.empty()) fmt::print(out, "  {}\n", sentence(recorder, style));
  if (!steady_state_of(device)) print_focus(device, style, out);
  out << '\n';
  print_strips(device.strip, device.engines, device.scope, style, out);
  print_questions_and_advice(report, device.scope, nullptr, style, out);
}

void print_summary(const analyzer::Report& report, const analyzer::RangeResult& range,
                   const DeviceResult& device, const TextStyle& style, std::ostream& out) {
  print_verdict(title_of(range, &device), first_line(report, device, &range), range.scope,
                report.first_op, style, out);
  if (range.steady) print_focus(device, style, out);
  const std::string work = work_sentences(range);
  if (!work.empty()) fmt::print(out, "  {}\n", sentence(work, style));
  out << '\n';
  print_strips(range.strip, range.engines, range.scope, style, out);
  print_questions_and_advice(report, range.scope, &range, style, out);
}

}  // namespace lapscope::reports

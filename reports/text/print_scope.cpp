#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "analyzer/analysis/verdict.h"
#include "reports/text/layout.h"
#include "reports/text/text_sections.h"
#include "reports/words/accuracy.h"
#include "reports/words/activity_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/recorder_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"
#include "reports/words/word_tables.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::Ns;
using analyzer::ScopeResult;
using Align = Table::Align;

constexpr std::size_t summary_indent = 2;
constexpr std::size_t finding_indent = 4;

std::string sentence(std::string_view text, const TextStyle& style) {
  return wrapped(text, style.width, summary_indent);
}

void print_heading(std::string_view text, const TextStyle& style, std::ostream& out) {
  out << fmt::format("\n  {}\n", Paint(style).bold(sentence(text, style)));
}

void print_questions(const analyzer::Report& report, const ScopeResult& scope,
                     const analyzer::RangeResult* range, const TextStyle& style,
                     std::ostream& out) {
  for (const WordTable& questions : questions_tables(report, scope, range)) {
    print_heading(questions.caption, style, out);
    for (const auto& row : questions.rows) {
      out << fmt::format("    {}\n      {}\n",
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
  out << fmt::format("\n{}\n  {}\n  {}\n", paint.bold(wrapped(heading, style.width, 0)),
                     paint.bold(sentence(line, style)), sentence(overlap_sentence(scope), style));
}

void print_focus(const DeviceResult& device, const TextStyle& style, std::ostream& out) {
  for (const std::string& line : focus_sentences(device)) {
    out << fmt::format("  {}\n", sentence(line, style));
  }
}

// Prints suggested steps that the program has not taken yet. If streams do not help the program
// further, prints the reason.
void print_advice(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  if (!scope.causes || scope.causes->advice.empty()) return;
  out << fmt::format("\n  {}\n",
                     Paint(style).bold(scope.causes->findings.empty() ? "Advice" : "Other steps"));
  for (const analyzer::Advice& one : scope.causes->advice) {
    out << fmt::format("    {}\n", wrapped(printable(sentences_of(one, *scope.causes)), style.width,
                                           finding_indent));
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

void print_evidence(const FindingResult& finding, Ns first_op, std::ostream& out) {
  constexpr std::size_t shown = 3;
  constexpr std::size_t name_width = 40;
  Table table({Align::right, Align::right, Align::left, Align::left, Align::left});
  table.add({"at", "waited", "op", "blocked by", "issued by"});
  for (std::size_t i = 0; i < std::min(shown, finding.evidence.size()); ++i) {
    const analyzer::Evidence& evidence = finding.evidence[i];
    std::string call = shortened(evidence.call, name_width);
    if (!evidence.range.empty()) call += " in '" + shortened(evidence.range, name_width) + "'";
    if (!evidence.line.empty()) call += " at " + line_words(evidence.line, name_width);
    table.add({format_instant(evidence.waiting.end - first_op),
               format_ns(evidence.waiting.length()),
               fmt::format("{} in stream {}", shortened(evidence.op, name_width), evidence.stream),
               shortened(words_of(evidence.blocked_by), name_width), call});
  }
  table.print(out, finding_indent);
}

void print_sites(const FindingResult& finding, const ScopeResult& scope, std::ostream& out) {
  if (finding.sites.size() < 2) return;
  constexpr std::size_t name_width = 60;
  constexpr std::size_t width_with_stack = 100;
  Table table({Align::right, Align::right, Align::right, Align::left});
  table.add({"alone", "ops", "waited", "call site"});
  for (const analyzer::CallSite& site : finding.sites) {
    table.add({saving_at(site, scope), fmt::format("{}", site.occurrences),
               format_ns(site.waited_ns),
               shortened(label_of(site), site.stack.empty() ? name_width : width_with_stack)});
  }
  table.print(out, finding_indent);
}

void print_path(const ScopeResult& scope, Ns first_op, std::ostream& out) {
  constexpr std::size_t shown = 8;
  constexpr std::size_t name_width = 60;
  const auto longest = longest_of(*scope.causes, shown);
  if (longest.empty()) return;
  out << fmt::format("\n  the longest parts of the critical path{}\n", instant_note(*scope.causes));
  Table table({Align::right, Align::right, Align::left, Align::left});
  for (const analyzer::PathStretch* stretch : longest) {
    const auto recorded = time_in_trace(*scope.causes, *stretch);
    table.add({recorded ? "at " + format_instant(recorded->start - first_op) : "",
               format_ns(stretch->interval.length()), words_of(*stretch),
               shortened(owner_of(*stretch), name_width)});
  }
  table.print(out, finding_indent);
}

void print_assumed(const analyzer::CausesResult& causes, const TextStyle& style,
                   std::ostream& out) {
  if (causes.assumed.empty()) return;
  out << fmt::format("\n  {}\n", wrapped(assumed_sentence(causes.assumed), style.width, 2));
}

}  // namespace

void print_summary(const analyzer::Report& report, const DeviceResult& device,
                   const TextStyle& style, std::ostream& out) {
  print_verdict(title_of(device), first_line(report, device, nullptr), device.scope,
                report.first_op, style, out);
  const std::string recorder = basis_sentences(device.scope);
  if (!recorder.empty()) out << fmt::format("  {}\n", sentence(recorder, style));
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
  if (!work.empty()) out << fmt::format("  {}\n", sentence(work, style));
  out << '\n';
  print_strips(range.strip, range.engines, range.scope, style, out);
  print_questions_and_advice(report, range.scope, &range, style, out);
}

void print_causes(const ScopeResult& scope, Ns first_op, const TextStyle& style,
                  std::ostream& out) {
  if (!scope.causes) return;
  const auto sentence = [&style](std::string_view text) {
    return wrapped(text, style.width, finding_indent);
  };
  std::size_t number = 0;
  for (const FindingResult& finding : scope.causes->findings) {
    out << fmt::format("\n  {}. {}: {}\n", ++number, finding.code, waited_words(finding));
    std::string what = printable(words_of(finding.what));
    if (const std::string where = where_of(finding); !where.empty()) what += " at " + where;
    for (const std::string& text :
         {what, nameless_sentence(finding), printable(explanation_of(finding)),
          printable(all_fixes_of(finding)), prediction_sentence(finding, scope)}) {
      if (!text.empty()) out << fmt::format("    {}\n", sentence(text));
    }
    print_sites(finding, scope, out);
    print_evidence(finding, first_op, out);
  }
  out << "\n  Critical path\n";
  Table table({Align::left, Align::right, Align::right, Align::left});
  for (const analyzer::BlameRow& row : scope.causes->blame) {
    const bool works = row.kind == analyzer::BlameKind::work;
    table.add({std::string(works ? word_of_code(row.code) : row.code), format_ns(row.ns),
               format_share(row.ns, explained_ns(scope)), works ? "work" : "waiting"});
  }
  table.print(out, finding_indent);
  print_path(scope, first_op, out);
  print_assumed(*scope.causes, style, out);
}

}  // namespace lapscope::reports

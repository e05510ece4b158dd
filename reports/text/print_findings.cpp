#include "reports/text/text_sections.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "analyzer/analysis/verdict.h"
#include "reports/text/layout.h"
#include "reports/words/accuracy.h"
#include "reports/words/activity_words.h"
#include "reports/words/advice_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/recorder_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::FindingResult;
using analyzer::Ns;
using analyzer::ScopeResult;
using Align = Table::Align;

constexpr std::size_t finding_indent = 4;

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

// For each call site, prints the saving of a fix at this call site alone.
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
  fmt::print(out, "\n  the longest parts of the critical path{}\n", instant_note(*scope.causes));
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
  fmt::print(out, "\n  {}\n", wrapped(assumed_sentence(causes.assumed), style.width, 2));
}

}  // namespace

void print_advice(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  if (!scope.causes || scope.causes->advice.empty()) return;
  fmt::print(out, "\n  {}\n",
             Paint(style).bold(scope.causes->findings.empty() ? "Advice" : "Other steps"));
  for (const analyzer::Advice& one : scope.causes->advice) {
    fmt::print(out, "    {}\n",
               wrapped(printable(sentences_of(one, *scope.causes)), style.width, finding_indent));
  }
}

void print_causes(const ScopeResult& scope, Ns first_op, const TextStyle& style,
                  std::ostream& out) {
  if (!scope.causes) return;
  const auto sentence = [&style](std::string_view text) {
    return wrapped(text, style.width, finding_indent);
  };
  std::size_t number = 0;
  for (const FindingResult& finding : scope.causes->findings) {
    fmt::print(out, "\n  {}. {}: {}\n", ++number, finding.code, waited_words(finding));
    std::string what = printable(words_of(finding.what));
    if (const std::string where = where_of(finding); !where.empty()) what += " at " + where;
    for (const std::string& text :
         {what, nameless_sentence(finding), printable(explanation_of(finding)),
          printable(all_fixes_of(finding)), prediction_sentence(finding, scope)}) {
      if (!text.empty()) fmt::print(out, "    {}\n", sentence(text));
    }
    print_sites(finding, scope, out);
    print_evidence(finding, first_op, out);
  }
  fmt::print(out, "\n  Critical path\n");
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

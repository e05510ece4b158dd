#include <fmt/format.h>
#include <fmt/ostream.h>

#include "reports/gate/gate_renderer.h"
#include "reports/gate/wording.h"
#include "reports/text/layout.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::Judgement;
using analyzer::Outcome;
using Align = Table::Align;

void print_table(const analyzer::JudgedGate& gate, std::ostream& out) {
  Table table({Align::left, Align::left, Align::left, Align::right, Align::left, Align::right});
  table.add({"", "", "", "value", "bound", "margin"});
  for (const Judgement& judgement : gate.judgements) {
    table.add({std::string(name_of(judgement.outcome)), printable(judgement.subject),
               judgement.condition, value_text(judgement), bound_text(judgement),
               margin_text(judgement)});
  }
  table.print(out, 2);
}

void print_reasons(const analyzer::JudgedGate& gate, std::ostream& out) {
  ExplainedOnce explained;
  for (const Judgement& judgement : gate.judgements) {
    if (judgement.outcome == Outcome::passed && judgement.reason.empty()) continue;
    fmt::print(out, "\n  {}: {}: {}\n", name_of(judgement.outcome), printable(title_of(judgement)),
               printable(sentence_of(judgement)));
    for (const auto& explanation : judgement.because) {
      fmt::print(out, "    {}\n", printable(explained.sentence_of(explanation)));
    }
  }
}

}  // namespace

void render_gate_text(const analyzer::GateReport& report, std::ostream& out) {
  for (const auto& gate : report.gates) {
    fmt::print(out, "gate '{}'\n", printable(gate.name));
    for (const std::string& file : gate.files) fmt::print(out, "  {}\n", printable(file));
    if (!gate.baseline.empty()) fmt::print(out, "  against {}\n", printable(gate.baseline));
    if (gate.is_of_whole) fmt::print(out, "  scope: {}\n", whole_run_is_judged);
    for (const std::string& note : gate.notes) fmt::print(out, "  note: {}\n", printable(note));
    print_table(gate, out);
    print_reasons(gate, out);
    fmt::print(out, "\n");
  }
  fmt::print(out, "{}: {}\n", name_of(verdict_of(report)), counts_text(counts_of(report)));
}

}  // namespace lapscope::reports

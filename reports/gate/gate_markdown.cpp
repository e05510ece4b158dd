#include <fmt/format.h>

#include <ostream>

#include "reports/gate/gate_renderer.h"
#include "reports/gate/gate_words.h"
#include "reports/markdown/markdown_markup.h"

namespace lapscope::reports {
namespace {

using analyzer::Judgement;
using analyzer::Outcome;

constexpr PerOutcome signs = {"✅", "⚠️", "❌", "❔"};

void print_gate(const analyzer::JudgedGate& gate, std::ostream& out) {
  out << fmt::format("\n### {}\n\n", markdown_text(gate.name));
  constexpr std::size_t width = 120;
  for (const std::string& file : gate.files) {
    out << fmt::format("- {}\n", markdown_code(without_folders(file), width));
  }
  if (!gate.baseline.empty()) {
    out << fmt::format("- against {}\n", markdown_code(without_folders(gate.baseline), width));
  }
  if (!gate.scopes.empty()) out << fmt::format("- {}\n", markdown_text(scope_sentence(gate)));
  for (const std::string& note : sentences_of(gate.notes)) {
    out << fmt::format("- {}\n", markdown_text(without_folders(note)));
  }
  out << "\n| | work | condition | value | bound | margin |\n|-|-|-|-:|-:|-:|\n";
  for (const Judgement& judgement : gate.judgements) {
    out << fmt::format("| {} {} | {} | {} | {} | {} | {} |\n", signs.of(judgement.outcome),
                       name_of(judgement.outcome), markdown_text(judgement.subject),
                       markdown_text(judgement.condition), value_text(judgement),
                       bound_text(judgement), margin_text(judgement));
  }
  bool first = true;
  ExplainedOnce explained;
  for (const Judgement& judgement : gate.judgements) {
    if (judgement.outcome == Outcome::passed && judgement.reason.empty()) continue;
    out << fmt::format("{}- **{}**: {} {}\n", first ? "\n" : "", name_of(judgement.outcome),
                       markdown_text(title_of(judgement) + ":"),
                       markdown_text(without_folders(sentence_of(judgement))));
    first = false;
    for (const auto& explanation : judgement.because) {
      out << fmt::format("  - {}\n", markdown_text(explained.sentence_of(explanation)));
    }
  }
}

}  // namespace

void render_gate_markdown(const analyzer::GateReport& report, const TextStyle&, std::ostream& out) {
  const Outcome verdict = verdict_of(report);
  out << fmt::format("## {} lapscope gate: {} ({})\n", signs.of(verdict), name_of(verdict),
                     counts_text(counts_of(report)));
  for (const auto& gate : report.gates) print_gate(gate, out);
}

}  // namespace lapscope::reports

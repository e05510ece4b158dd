#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "reports/gate/gate_renderer.h"
#include "reports/gate/gate_words.h"
#include "reports/text/layout.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::Judgement;
using analyzer::Outcome;
using Align = Table::Align;

std::string painted(const Paint& paint, Outcome outcome) {
  const std::string_view name = name_of(outcome);
  switch (outcome) {
    case Outcome::passed:
      return paint.good(name);
    case Outcome::failed:
      return paint.bad(name);
    case Outcome::waived:
    case Outcome::inconclusive:
      break;
  }
  return paint.caution(name);
}

void print_table(const analyzer::JudgedGate& gate, const Paint& paint, std::ostream& out) {
  Table table({Align::left, Align::left, Align::left, Align::right, Align::left, Align::right});
  table.add({"", "", "", "value", "bound", "margin"});
  for (const Judgement& judgement : gate.judgements) {
    table.add({painted(paint, judgement.outcome), printable(judgement.subject), judgement.condition,
               value_text(judgement), bound_text(judgement), margin_text(judgement)});
  }
  table.print(out, 2);
}

// Prints a paragraph. Its first line is indented by `indent`, and its other lines by two more.
void print_indented(const std::string& text, std::size_t indent, const TextStyle& style,
                    std::ostream& out) {
  const std::size_t width = style.width - std::min(style.width, indent);
  for (const std::string& line : lines_of(wrapped(text, width, 2))) {
    out << fmt::format("{:{}}{}\n", "", indent, line);
  }
}

void print_reasons(const analyzer::JudgedGate& gate, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  ExplainedOnce explained;
  for (const Judgement& judgement : gate.judgements) {
    if (judgement.outcome == Outcome::passed && judgement.reason.empty()) continue;
    out << fmt::format("\n  {}: {}:\n", painted(paint, judgement.outcome),
                       printable(title_of(judgement)));
    print_indented(sentence_of(judgement), 4, style, out);
    for (const auto& explanation : judgement.because) {
      print_indented(explained.sentence_of(explanation), 4, style, out);
    }
  }
}

}  // namespace

void render_gate_text(const analyzer::GateReport& report, const TextStyle& style,
                      std::ostream& out) {
  const Paint paint(style);
  std::ostringstream text;
  for (const auto& gate : report.gates) {
    text << fmt::format("{}\n", paint.bold("gate '" + printable(gate.name) + "'"));
    for (const std::string& file : gate.files) text << fmt::format("  {}\n", printable(file));
    if (!gate.baseline.empty()) text << fmt::format("  against {}\n", printable(gate.baseline));
    if (!gate.scopes.empty()) print_indented(scope_sentence(gate), 2, style, text);
    for (const std::string& note : sentences_of(gate.notes))
      print_indented("note: " + note, 2, style, text);
    print_table(gate, paint, text);
    print_reasons(gate, style, text);
    text << "\n";
  }
  text << fmt::format("{}: {}\n", painted(paint, verdict_of(report)),
                      counts_text(counts_of(report)));
  out << (style.unicode ? text.str() : in_ascii(text.str()));
}

}  // namespace lapscope::reports

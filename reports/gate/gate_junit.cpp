#include <fmt/format.h>

#include <ostream>

#include "reports/gate/gate_renderer.h"
#include "reports/gate/gate_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::Judgement;

// Escapes a text for attributes and elements. XML 1.0 forbids control characters, U+FFFE and
// U+FFFF, even as references.
std::string xml(std::string_view text) {
  const std::string safe = printable(text);
  std::string escaped;
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const auto rest = std::string_view(safe).substr(i);
    if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      escaped += '?';
      i += 2;
    } else if (safe[i] == '&') {
      escaped += "&amp;";
    } else if (safe[i] == '<') {
      escaped += "&lt;";
    } else if (safe[i] == '>') {
      escaped += "&gt;";
    } else if (safe[i] == '"') {
      escaped += "&quot;";
    } else {
      escaped += safe[i];
    }
  }
  return escaped;
}

// JUnit has no outcomes "inconclusive" and "waived". An inconclusive check becomes an error, like a
// test that could not run. A waived check becomes a skipped test.
constexpr PerOutcome elements = {nullptr, "skipped", "failure", "error"};

void print_case(const analyzer::JudgedGate& gate, const Judgement& judgement, std::ostream& out) {
  out << fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(gate.name),
                     xml(title_of(judgement)));
  const char* element = elements.of(judgement.outcome);
  if (element == nullptr) {
    out << "/>\n";
    return;
  }
  out << fmt::format(">\n      <{} type=\"{}\" message=\"{}\">", element,
                     name_of(judgement.outcome), xml(sentence_of(judgement)));
  for (const auto& explanation : judgement.because) {
    out << fmt::format("{}\n", xml(sentence_of(explanation)));
  }
  out << fmt::format("</{}>\n    </testcase>\n", element);
}

void print_notes(const analyzer::JudgedGate& gate, std::ostream& out) {
  if (gate.notes.empty()) return;
  out << "    <system-out>";
  for (const std::string& note : sentences_of(gate.notes)) {
    out << fmt::format("note: {}\n", xml(note));
  }
  out << "</system-out>\n";
}

}  // namespace

void render_gate_junit(const analyzer::GateReport& report, const TextStyle&, std::ostream& out) {
  const auto all = counts_of(report);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out << fmt::format(
      "<testsuites name=\"lapscope gate\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", all.all(),
      all.failed, all.inconclusive);
  for (const auto& gate : report.gates) {
    const auto counts = counts_of(gate.judgements);
    out << fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
        "skipped=\"{}\">\n",
        xml(gate.name), counts.all(), counts.failed, counts.inconclusive, counts.waived);
    for (const Judgement& judgement : gate.judgements) print_case(gate, judgement, out);
    print_notes(gate, out);
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace lapscope::reports

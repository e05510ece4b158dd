#include <fmt/format.h>

#include <ostream>

#include "reports/gate/gate_renderer.h"
#include "reports/gate/gate_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::Outcome;

// Escapes line ends, which would end a workflow command. In a property, also escapes ':' and ','.
std::string escaped(std::string_view text, bool is_property) {
  std::string result;
  for (const char c : text) {
    if (c == '%') {
      result += "%25";
    } else if (c == '\r') {
      result += "%0D";
    } else if (c == '\n') {
      result += "%0A";
    } else if (is_property && c == ':') {
      result += "%3A";
    } else if (is_property && c == ',') {
      result += "%2C";
    } else {
      result += c;
    }
  }
  return result;
}

std::string property(std::string_view text) { return escaped(printable(text), true); }

constexpr PerOutcome commands = {"notice", "notice", "error", "warning"};

}  // namespace

void render_gate_github(const analyzer::GateReport& report, const TextStyle&, std::ostream& out) {
  for (const auto& gate : report.gates) {
    for (const auto& judgement : gate.judgements) {
      if (judgement.outcome == Outcome::passed) continue;
      const analyzer::Place place = place_to_show(gate, judgement);
      std::string message = printable(sentence_of(judgement));
      for (const auto& explanation : judgement.because) {
        message += "\n" + printable(sentence_of(explanation));
      }
      out << fmt::format("::{} file={},line={}{},title={}::{}\n", commands.of(judgement.outcome),
                         property(place.file), place.line,
                         place.column > 0 ? fmt::format(",col={}", place.column) : "",
                         property(title_of(judgement) + ", gate " + gate.name),
                         escaped(message, false));
    }
    for (const std::string& note : sentences_of(gate.notes)) {
      out << fmt::format("::notice file={},line=1,title={}::{}\n", property(file_to_show(gate)),
                         property("gate " + gate.name), escaped(printable(note), false));
    }
  }
}

}  // namespace lapscope::reports

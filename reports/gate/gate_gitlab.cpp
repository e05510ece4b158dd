#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"
#include "reports/gate/gate_renderer.h"
#include "reports/gate/gate_words.h"

namespace lapscope::reports {
namespace {

using analyzer::Outcome;
using Json = nlohmann::ordered_json;

Json issue_json(const std::string& description, const std::string& check,
                const std::string& fingerprint, const char* severity, const std::string& file,
                std::uint32_t line) {
  return {{"description", description},
          {"check_name", check},
          {"fingerprint", fingerprint},
          {"severity", severity},
          {"location", {{"path", file}, {"lines", {{"begin", line}}}}}};
}

constexpr PerOutcome severities = {"info", "info", "major", "minor"};

}  // namespace

void render_gate_gitlab(const analyzer::GateReport& report, const TextStyle&, std::ostream& out) {
  Json issues = Json::array();
  for (const auto& gate : report.gates) {
    for (const auto& judgement : gate.judgements) {
      if (judgement.outcome == Outcome::passed) continue;
      const analyzer::Place place = place_to_show(gate, judgement);
      // The fingerprint does not depend on the measured value. So GitLab recognizes the same issue
      // in later runs.
      issues.push_back(issue_json(
          fmt::format("{} ({}): {}", title_of(judgement), gate.name, sentence_of(judgement)),
          check_name(judgement.condition),
          fingerprint_of({gate.name, judgement.subject, judgement.condition}),
          severities.of(judgement.outcome), place.file, place.line));
    }
    for (const std::string& note : sentences_of(gate.notes)) {
      issues.push_back(issue_json(fmt::format("{}: {}", gate.name, note), check_name("note"),
                                  fingerprint_of({gate.name, note}), "info", file_to_show(gate),
                                  1));
    }
  }
  out << analyzer::harmless_json(issues.dump(2, ' ', false, Json::error_handler_t::replace))
      << '\n';
}

}  // namespace lapscope::reports

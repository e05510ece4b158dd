#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/gate/gate_renderer.h"
#include "reports/gate/wording.h"

namespace lapscope::reports {
namespace {

using analyzer::Outcome;
using Json = nlohmann::ordered_json;

// The same condition of the same work has the same fingerprint whatever its value is, so that
// GitLab can tell new failures from old ones. FNV-1a, 64 bits.
std::string fingerprint(const analyzer::JudgedGate& gate, const analyzer::Judgement& judgement) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string* part : {&gate.name, &judgement.subject, &judgement.condition}) {
    for (const char c : *part + '\n') {
      hash ^= static_cast<unsigned char>(c);
      hash *= 0x100000001b3;
    }
  }
  return fmt::format("{:016x}", hash);
}

const char* severity_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
    case Outcome::waived:
      break;
    case Outcome::failed:
      return "major";
    case Outcome::inconclusive:
      return "minor";
  }
  return "info";
}

std::string check_name(const std::string& condition) {
  std::string name = "lapscope/" + condition;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

}  // namespace

void render_gate_gitlab(const analyzer::GateReport& report, std::ostream& out) {
  Json issues = Json::array();
  for (const auto& gate : report.gates) {
    for (const auto& judgement : gate.judgements) {
      if (judgement.outcome == Outcome::passed) continue;
      const analyzer::Place place = place_to_show(gate, judgement);
      issues.push_back({{"description", fmt::format("{} ({}): {}", title_of(judgement), gate.name,
                                                    sentence_of(judgement))},
                        {"check_name", check_name(judgement.condition)},
                        {"fingerprint", fingerprint(gate, judgement)},
                        {"severity", severity_of(judgement.outcome)},
                        {"location", {{"path", place.file}, {"lines", {{"begin", place.line}}}}}});
    }
  }
  out << issues.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace lapscope::reports

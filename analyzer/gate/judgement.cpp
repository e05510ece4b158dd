#include "analyzer/gate/judgement.h"

#include <fmt/format.h>

#include <algorithm>

namespace lapscope::analyzer {

std::string name_of(const Bound& bound) {
  return fmt::format("{} {}", bound.sense == Sense::at_least ? "min" : "max", bound.measure->name);
}

std::string name_of(const Ban& ban) { return fmt::format("forbid {}", code_of(ban.cause)); }

std::string baseline_name(const Measure& measure) {
  return fmt::format("baseline {}", measure.name);
}

std::string text_of(const Date& date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::waived:
      return "waived";
    case Outcome::failed:
      return "failed";
    case Outcome::inconclusive:
      return "inconclusive";
  }
  return "";
}

OutcomeCounts counts_of(std::span<const Judgement> judgements) {
  OutcomeCounts counts;
  for (const Judgement& judgement : judgements) {
    switch (judgement.outcome) {
      case Outcome::passed:
        ++counts.passed;
        break;
      case Outcome::waived:
        ++counts.waived;
        break;
      case Outcome::failed:
        ++counts.failed;
        break;
      case Outcome::inconclusive:
        ++counts.inconclusive;
        break;
    }
  }
  return counts;
}

OutcomeCounts counts_of(const GateReport& report) {
  OutcomeCounts counts;
  for (const JudgedGate& gate : report.gates) {
    const OutcomeCounts more = counts_of(gate.judgements);
    counts.passed += more.passed;
    counts.waived += more.waived;
    counts.failed += more.failed;
    counts.inconclusive += more.inconclusive;
  }
  return counts;
}

Outcome verdict_of(const GateReport& report) {
  const OutcomeCounts counts = counts_of(report);
  if (counts.failed > 0) return Outcome::failed;
  const bool judged_nothing =
      std::any_of(report.gates.begin(), report.gates.end(),
                  [](const JudgedGate& gate) { return gate.judgements.empty(); });
  if (counts.inconclusive > 0 || judged_nothing || report.gates.empty())
    return Outcome::inconclusive;
  return Outcome::passed;
}

}  // namespace lapscope::analyzer

#pragma once

#include <vector>

#include "analyzer/gate/judge_gate.h"
#include "tests/catch.h"

// Makes gates with given conditions, and judges them on a fixed date.
namespace lapscope::test {

inline constexpr analyzer::Date today{std::chrono::year{2026}, std::chrono::month{11},
                                      std::chrono::day{21}};

inline const analyzer::Bound half_overlap = {
    &analyzer::overlap_ratio, analyzer::Sense::at_least, 0.5, {}};
inline const analyzer::Bound little_idle = {
    &analyzer::idle_ratio, analyzer::Sense::at_most, 0.1, {}};

inline analyzer::Gate gate_with(std::vector<analyzer::Bound> bounds) {
  analyzer::Gate gate;
  gate.bounds = std::move(bounds);
  return gate;
}

inline std::vector<analyzer::Judgement> judgements_of(
    const analyzer::Gate& gate, const std::vector<analyzer::RunSummary>& runs,
    const std::vector<analyzer::RunSummary>& baseline = {}) {
  return judge_gate(gate, runs, baseline, today).judgements;
}

inline analyzer::Judgement only(const std::vector<analyzer::Judgement>& judgements) {
  REQUIRE(judgements.size() == 1);
  return judgements[0];
}

}  // namespace lapscope::test

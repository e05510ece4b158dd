#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "analyzer/gate/judgement.h"

// What gates say of a trace, and of altered copies of it.
namespace lapscope::altered {

// A gate of one condition over one scope.
struct Condition {
  bool is_whole = false;  // else of the default scope
  std::string text;       // as "max wall", "forbid host-sync"
  double bound = 0;       // of measures

  friend auto operator<=>(const Condition&, const Condition&) = default;
};

struct Judged {
  std::map<Condition, analyzer::Outcome> outcomes;
  analyzer::Verdict verdict = analyzer::Verdict::inconclusive;  // of `analyze`
  std::vector<std::string> defects;  // codes of health rows that are warnings or errors
  std::string refusal;               // why there is nothing of this, if so
};

// The conditions that a recorded trace fails: one for each measure, with a bound that it just does
// not meet, and one for each cause, as far as they fail.
std::set<Condition> failing_conditions(const std::filesystem::path& trace);

// Refused traces have no outcomes.
Judged judged(const std::filesystem::path& trace, const std::set<Condition>& conditions);

}  // namespace lapscope::altered

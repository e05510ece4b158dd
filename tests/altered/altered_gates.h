#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "analyzer/gate/judgement.h"

// Outcomes of gates for a trace and for its altered copies.
namespace lapscope::altered {

// A gate of one condition over one scope.
struct Condition {
  bool is_whole = false;  // false: the default scope
  std::string text;       // e.g. "max wall" or "forbid host-sync"
  double bound = 0;       // only for measures

  friend auto operator<=>(const Condition&, const Condition&) = default;
};

struct Judged {
  std::map<Condition, analyzer::Outcome> outcomes;
  analyzer::Verdict verdict = analyzer::Verdict::inconclusive;  // the verdict of `analyze`
  std::vector<std::string> defects;  // codes of health rows that are warnings or errors
  std::string refusal;               // the reader's message, if it refused the trace
};

// Returns conditions that a trace fails: a bound missed by 1 % for each measure, and a ban of each
// found cause.
std::set<Condition> failing_conditions(const std::filesystem::path& trace);

// Returns the outcome of each condition. Returns no outcomes if lapscope refuses the trace.
Judged judged(const std::filesystem::path& trace, const std::set<Condition>& conditions);

}  // namespace lapscope::altered

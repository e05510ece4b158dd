#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/fix_request.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

struct PredictedRatio {
  const Measure* measure = nullptr;
  Value recorded;
  Value predicted;
};

// The prediction for a scope of one device, with the fixes applied.
struct WhatIfScope {
  std::int64_t device = 0;
  std::string device_name;
  ScopeKind kind = ScopeKind::device;
  std::string range;  // its name; empty for the device, its window or its steady state
  std::optional<SteadyState> steady;
  Ns wall_ns = 0;  // the corrected wall if it is known, else the recorded wall
  std::optional<Correction> correction;
  std::optional<double> estimated_added;  // as CausesResult::estimated_added
  std::optional<double> overlap_ratio;
  ReplayResult replay;              // of the unchanged run
  Share unexplained_share = 0;      // of its wall time: the part without a cause
  std::int64_t impossible_ops = 0;  // as ScopeResult::impossible_ops
  Prediction predicted;
  // How much earlier the scope's first op starts, because a fix shortens the work before the scope.
  // The wall time is counted from this op on. So it may be longer than in the recording although
  // no op of the scope ends later.
  Ns begins_earlier_ns = 0;
  // What the prediction assumes, as in CausesResult::assumed.
  std::set<std::string_view> assumed;
  std::vector<PredictedRatio> ratios;
  CausesResult after;  // blame, findings and replay of the predicted run

  // These functions are about the recorded run, not about the predicted run.
  bool is_accounted() const { return is_accounted_for(replay, unexplained_share); }
  bool is_conclusive() const {
    return is_accounted() && after.has_evidence() && impossible_ops == 0;
  }
};

struct WhatIfReport {
  TraceFacts trace;
  std::vector<HealthRow> health;
  std::vector<FixRequest> changes;  // what was asked for
  std::vector<WhatIfScope> scopes;
};

// Predicts the requested ranges, profiler brackets and steady state. If there are none, predicts
// the window or the whole devices. Predicts nothing if the trace hides causes (hides_causes()).
// Leaves out scopes without work, and scopes in which a fix changes nothing at its site. Throws
// NothingAtSite if this leaves no scope. Throws TooManyToReplay.
WhatIfReport what_if(const Trace& trace, const AnalyzeOptions& options,
                     const std::vector<FixRequest>& requests);

}  // namespace lapscope::analyzer

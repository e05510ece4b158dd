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

// A measure of the recorded run, and of the predicted one.
struct PredictedRatio {
  const Measure* measure = nullptr;
  Value recorded;
  Value predicted;
};

// What a device, or an NVTX range on it, would take with the fixes made.
struct WhatIfScope {
  std::int64_t device = 0;
  std::string device_name;
  ScopeKind kind = ScopeKind::device;
  std::string range;  // its name; empty for the device, its window or its steady state
  std::optional<SteadyState> steady;
  Ns wall_ns = 0;  // as recorded; where it is corrected, without the recorder's own time
  std::optional<Correction> correction;
  std::optional<double> estimated_added;  // as of CausesResult
  std::optional<double> overlap_ratio;
  ReplayResult replay;              // of the unchanged run
  Share unexplained_share = 0;      // of it: what no cause accounts for
  std::int64_t impossible_ops = 0;  // as of ScopeResult
  Prediction predicted;
  // By how much the first op starts earlier than recorded, as after a fix of what was before it:
  // the wall time may be longer for that alone.
  Ns begins_earlier_ns = 0;
  // What the prediction assumes, as in CausesResult::assumed.
  std::set<std::string_view> assumed;
  std::vector<PredictedRatio> ratios;
  CausesResult after;  // blame, findings and replay of the predicted run

  // Refers to the run that was recorded.
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

// Predicts for the ranges and brackets that the options name, or else for a window or whole
// devices. Of a trace that hides causes (hides_causes()) there are none. Scopes without work are
// left out, and those in which a fix changes nothing at its site. Throws NothingAtSite when it
// changes nothing there in any.
WhatIfReport what_if(const Trace& trace, const AnalyzeOptions& options,
                     const std::vector<FixRequest>& requests);

}  // namespace lapscope::analyzer

#pragma once

#include <string>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/scoped.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/gaps/host_timeline.h"

namespace lapscope::analyzer {

struct CauseOptions {
  // A finding is reported when its fix is predicted to save so much of the wall time at least.
  double least_saving = 0.03;
  std::int64_t least_saving_ns = 10'000;
  // Longest waits and places in the program shown with each finding.
  std::size_t evidence_listed = 3;
  std::size_t sites_listed = 5;
};

// A fix as it was asked for: CODE or CODE:VALUE, or scale.
struct AskedFix {
  const Fix* fix = nullptr;  // or, when null, `engine` scaled by `value`
  Engine engine = Engine::compute;
  double value = 0;
};

// The graph with the fixes made, in this order.
Graph fixed(const Trace& trace, const Graph& graph, const std::vector<AskedFix>& asked);

// What one scope would take with the fixes made.
Prediction predict(const Scoped& scope, const Replayed& replayed);

// Blame, findings and replay of some scopes of one graph. The order is theirs.
std::vector<CausesResult> find_causes(const Trace& trace, const HostTimeline& host,
                                      const Graph& graph, const std::vector<Scoped>& scopes,
                                      const CauseOptions& options);

}  // namespace lapscope::analyzer

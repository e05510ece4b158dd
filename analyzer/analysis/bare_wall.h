#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// Returns the open time of NVTX ranges in bare runs, which are runs without CUPTI. If that time is
// not known, returns the reason. Does not set BareWall::ended_synchronized.
BareWall compared_with_bare_runs(const Trace& trace, const std::vector<NvtxRange>& ranges);

// Compares the NVTX ranges of a scope with bare runs, and also sets BareWall::ended_synchronized.
// Returns nullopt if the trace has no bare runs, or if the scope does not consist of NVTX ranges.
std::optional<BareWall> bare_wall_of(const Trace& trace, const ResolvedScope& scope);

}  // namespace lapscope::analyzer

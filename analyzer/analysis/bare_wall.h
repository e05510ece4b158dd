#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// What NVTX ranges took in bare runs, without BareWall::ended_synchronized; or the reason why that
// is not known.
BareWall compared_with_bare_runs(const Trace& trace, const std::vector<NvtxRange>& ranges);

// Nothing for what is no NVTX range, nor a steady state made of such, and where no bare runs were
// made.
std::optional<BareWall> bare_wall_of(const Trace& trace, const ResolvedScope& scope);

}  // namespace lapscope::analyzer

#pragma once

#include <optional>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// Nothing for what is no NVTX range, nor a steady state made of such, and where no bare runs were
// made.
std::optional<BareWall> bare_wall_of(const Trace& trace, const ResolvedScope& scope);

}  // namespace lapscope::analyzer

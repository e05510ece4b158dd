#pragma once

#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// Adds to every scope what the threads that issued its ops did between their calls: while its NVTX
// ranges were open, in its window, or from the first call that issued an op of it to the last. Also
// the measures that depend on it. Nothing where nobody looked at threads.
void add_host_time(const Context& context, std::vector<DeviceResult>& devices);

}  // namespace lapscope::analyzer

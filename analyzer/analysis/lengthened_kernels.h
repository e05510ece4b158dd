#pragma once

#include <optional>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Estimates how much longer kernels took because they were recorded. Uses the launch shapes of the
// kernels. To time kernels that may run at the same time, CUPTI adds instructions to each block.
// This lengthens kernels that have very many short blocks. The estimate for a kernel is
// assumed::wave_overhead, multiplied by the number of waves in which its blocks run. That overhead
// was measured on one kernel. Kernels whose estimate is less than assumed::least_saving of their
// duration are left out.
//
// Returns a health row if the estimates of the remaining kernels add up to at least
// assumed::noteworthy of all kernel time. Otherwise returns empty.
//
// The estimate misses kernels whose blocks spin until the device's clock reaches some value. Such
// kernels take twice as long when recorded, but their launch shapes do not show it
// (research/collector-cost.md).
std::optional<HealthRow> lengthened_kernels(const Trace& trace);

}  // namespace lapscope::analyzer

#pragma once

#include <optional>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Estimates how much longer kernels took because they were recorded. Uses the launch shapes of the
// kernels. CUPTI adds instructions to each block in order to time concurrent kernels. These
// instructions lengthen kernels that have very many short blocks. The estimate for a kernel is
// assumed::wave_overhead, multiplied by the number of waves in which its blocks run. That overhead
// was measured on one kernel. Kernels whose estimate is less than assumed::least_saving of their
// duration are left out.
//
// Adds up the estimates of the remaining kernels. Returns a health row if the sum is at least
// assumed::noteworthy of all kernel time. Returns empty if the sum is smaller.
//
// The blocks of some kernels spin until the device's clock reaches some value. These kernels take
// twice as long when recorded. The estimate misses them, because their launch shapes do not show
// the spinning (research/collector-cost.md).
std::optional<HealthRow> lengthened_kernels(const Trace& trace);

}  // namespace lapscope::analyzer

#pragma once

#include <optional>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Estimates how much longer kernels took because CUPTI recorded them. To time concurrent kernels,
// CUPTI adds instructions to each block. These instructions lengthen kernels that have very many
// short blocks. The estimate for a kernel is assumed::wave_overhead times the number of waves in
// which its blocks run. assumed::wave_overhead was measured on one kernel. A kernel is left out if
// its estimate is less than assumed::least_saving of its duration.
//
// Returns a health row if the sum of the estimates is at least assumed::noteworthy of all kernel
// time.
//
// The blocks of some kernels spin until the device's clock reaches some value. These kernels take
// twice as long when recorded. The estimate misses them, because their launch shapes do not show
// the spinning (research/collector-cost.md).
std::optional<HealthRow> lengthened_kernels(const Trace& trace);

}  // namespace lapscope::analyzer

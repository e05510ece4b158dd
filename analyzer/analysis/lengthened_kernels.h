#pragma once

#include <optional>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Estimates how much longer kernels took because CUPTI recorded them. To time concurrent kernels,
// CUPTI adds instructions to each block. These instructions lengthen kernels with very many short
// blocks. The estimate is assumed::wave_overhead (measured on one kernel) for each wave of blocks.
// A kernel counts if its estimate is at least assumed::least_saving of its duration.
//
// Returns a health row if the sum of the estimates is at least assumed::noteworthy of all kernel
// time.
//
// Kernels whose blocks spin until the device's clock reaches some value take twice as long when
// recorded. The estimate does not include this time, because launch shapes do not show whether a
// kernel spins (research/collector-cost.md).
std::optional<HealthRow> lengthened_kernels(const Trace& trace);

}  // namespace lapscope::analyzer

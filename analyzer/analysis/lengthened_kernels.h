#pragma once

#include <optional>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// States that the recorder made kernels longer, where their recorded shapes show it. To time
// kernels that may run at once, CUPTI adds instructions to each block, which lengthens kernels of
// very many short blocks (by assumed::wave_overhead for each wave of blocks, an estimate: it was
// measured on one kernel). Counts kernels that are longer by assumed::least_saving; returns nothing
// where that is less than assumed::noteworthy of all kernel time. Blocks that spin until the
// device's clock has come so far, and then take twice as long, have the shape of any other
// (research/collector-cost.md).
std::optional<HealthRow> lengthened_kernels(const Trace& trace);

}  // namespace lapscope::analyzer

#pragma once

#include <optional>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// That the recorder made kernels longer, where their recorded shapes tell so: to time kernels that
// may run at once CUPTI adds instructions to each block, which kernels of very many short blocks
// are longer by (assumed::wave_overhead for each wave of blocks, an estimate: it was measured on
// one kernel). Of kernels that are longer by assumed::least_saving; nothing where that is less than
// assumed::noteworthy of all kernel time. Blocks that spin until the device's clock has come
// so far, and then take twice as long, have the shape of any other (research/collector-cost.md).
std::optional<HealthRow> lengthened_kernels(const Trace& trace);

}  // namespace lapscope::analyzer

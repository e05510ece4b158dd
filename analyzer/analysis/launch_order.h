#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// By op in Scope::ops: the index of the op's instance (LaunchOrder); no_index if it has none.
using Instances = std::vector<std::uint32_t>;

// Returns the instance of each op. The instances are the outermost NVTX ranges of each thread in
// `ranges`. An op belongs to the range of the calling thread that contains the op's call. If there
// is no such range, considers the range that began last before the call in any thread of the
// process. If this range contains the call, the op belongs to it.
Instances instances_of(const Ops& ops, const Calls& calls, const Scope& scope,
                       std::vector<NvtxRange> ranges);

// The instances are the iterations between the `borders`. An op belongs to the iteration in which
// it starts.
Instances instances_between(const Ops& ops, const Scope& scope, const std::vector<Ns>& borders);

Instances one_instance(const Scope& scope);

// Returns the most frequent order of launches. Of equally frequent orders, returns the one that
// occurred first.
LaunchOrder launch_order(const Trace& trace, const Device& device, const Scope& scope,
                         const Instances& instances);

}  // namespace lapscope::analyzer

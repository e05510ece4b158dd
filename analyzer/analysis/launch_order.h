#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// For each op in Scope::ops, the number of the op's instance, or no_index if the op has no
// instance.
using Instances = std::vector<std::uint32_t>;

// Takes NVTX ranges of one name as instances, except ranges inside another range of the same
// thread. If a range of the calling thread contains the call of an op, the op belongs to this
// range. If there is no such range, the last range of the process that began before the call is
// considered. The op belongs to that range if the range contains the call.
Instances instances_of(const Ops& ops, const Calls& calls, const Scope& scope,
                       std::vector<NvtxRange> ranges);

// Takes iterations as instances. The ops that start between two consecutive borders belong to one
// iteration.
Instances instances_between(const Ops& ops, const Scope& scope, const std::vector<Ns>& borders);

// Takes all ops as one instance.
Instances one_instance(const Scope& scope);

// Returns the most frequent order in which an instance launched its kernels. If several orders are
// equally frequent, returns the order of the earliest instance.
LaunchOrder launch_order(const Trace& trace, const Device& device, const Scope& scope,
                         const Instances& instances);

}  // namespace lapscope::analyzer

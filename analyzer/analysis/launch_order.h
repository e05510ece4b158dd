#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// For each op in Scope::ops, the index of the op's instance (LaunchOrder), or no_index if the op
// has no instance.
using Instances = std::vector<std::uint32_t>;

// Each NVTX range in `ranges` is an instance, unless another range of the same thread contains it.
// An op belongs to the range of the calling thread that contains the op's call. If there is no such
// range, the op belongs to the last range of the process that began before the call, provided that
// this range contains the call.
Instances instances_of(const Ops& ops, const Calls& calls, const Scope& scope,
                       std::vector<NvtxRange> ranges);

// Takes iterations as instances. The ops that start between two consecutive borders belong to one
// iteration.
Instances instances_between(const Ops& ops, const Scope& scope, const std::vector<Ns>& borders);

// Takes all ops as one instance.
Instances one_instance(const Scope& scope);

// Returns the most frequent order in which an instance launched its kernels. Of several equally
// frequent orders, returns the order of the earliest instance.
LaunchOrder launch_order(const Trace& trace, const Device& device, const Scope& scope,
                         const Instances& instances);

}  // namespace lapscope::analyzer

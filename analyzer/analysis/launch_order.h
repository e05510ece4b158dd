#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// The instance that each op of a scope belongs to, by its place in Scope::ops; no_index for none.
using Instances = std::vector<std::uint32_t>;

// Instances that are NVTX ranges of one name. An op belongs to the range of the call that issued
// it: a range of the thread itself or, for a thread that helps, the latest one in its process. A
// range inside another of them is no instance of its own.
Instances instances_of(const Ops& ops, const Calls& calls, const Scope& scope,
                       std::vector<NvtxRange> ranges);

// Instances that are iterations: the ops that start between two borders belong to one.
Instances instances_between(const Ops& ops, const Scope& scope, const std::vector<Ns>& borders);

// One for all.
Instances one_instance(const Scope& scope);

// Returns the order that most instances launched in. Where several orders have as many instances,
// returns the one of the earliest instance.
LaunchOrder launch_order(const Trace& trace, const Device& device, const Scope& scope,
                         const Instances& instances);

}  // namespace lapscope::analyzer

#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/measures/activity.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// The kernels, copies and memsets with most time, by name; at most 20.
std::vector<OpGroup> groups_of(const Trace& trace, const Subject& subject, const Scope& scope);

// All such groups, in no order, with the durations of their ops.
struct TimedGroup {
  OpGroup group;
  bool is_kernel = false;
  std::vector<Ns> each_ns;  // of an op that the window cuts, the part inside
};
std::vector<TimedGroup> timed_groups_of(const Trace& trace, const Device& device,
                                        const Scope& scope);

// The kernels of a scope by name, most time first; those that were cut by its window count with the
// part inside.
std::vector<KernelResult> kernels_of(const Trace& trace, const Device& device, const Scope& scope);

}  // namespace lapscope::analyzer

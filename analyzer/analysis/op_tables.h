#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/measures/activity.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Returns the ops of a scope by name, most time first. Returns at most 20 groups.
std::vector<OpGroup> groups_of(const Trace& trace, const Subject& subject, const Scope& scope);

struct TimedGroup {
  OpGroup group;
  bool is_kernel = false;
  std::vector<Ns> each_ns;  // by op, only the part inside the window
};
// Returns all groups of ops of a scope, in no particular order.
std::vector<TimedGroup> timed_groups_of(const Trace& trace, const Device& device,
                                        const Scope& scope);

// Returns the kernels of a scope by name, most time first. If a kernel crosses the border of the
// scope's window, only its part inside the window counts.
std::vector<KernelResult> kernels_of(const Trace& trace, const Device& device, const Scope& scope);

}  // namespace lapscope::analyzer

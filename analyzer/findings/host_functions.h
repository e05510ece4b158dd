#pragma once

#include <optional>
#include <span>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/advice.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Returns the functions that host threads ran while the critical path waited for the host's work
// between two calls:
//
//   thread   [launch]..poll......sort.[launch]      poll 55 %, one sample in sort
//   path     ..A    ]^^^ host-compute ^^^^^^^..B
//
// Returns nothing if the trace has no records of what threads did (Trace::host_states), or if the
// times are corrected. Also returns nothing if the path waits for the host for less than
// assumed::least_saving of `wall_ns`.
std::optional<HostFunctions> host_functions(const Sources& sources, std::span<const Part> path,
                                            Ns wall_ns);

// Returns whether threads slept while they delayed tasks: they were off their processor for most
// (assumed::majority) of this time. `blocked` has these tasks, whose delay has the cause
// host-compute. Considers only time between two calls of a thread. A thread is off its processor
// while another thread has it, or while the thread waits for something other than CUDA. Returns
// false if the states of threads were not recorded.
bool slept(const Sources& sources, const BlockedTasks& blocked);

}  // namespace lapscope::analyzer

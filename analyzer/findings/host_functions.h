#pragma once

#include <optional>
#include <span>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/advice.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Returns the functions that host threads ran while the critical path waited for host work between
// two calls.
//
// Returns nullopt if the trace has no host_states, or if `sources` has corrected times. Also
// returns nullopt if the path waits for the host for less than assumed::least_saving of `wall_ns`.
std::optional<HostFunctions> host_functions(const Sources& sources, std::span<const Part> path,
                                            Ns wall_ns);

// Whether threads slept while they delayed the tasks in `blocked` with the cause host-compute: they
// were off their processors for most of the time between calls (assumed::majority). In this time,
// other threads ran on the processors, or the threads waited for something other than CUDA. False
// if the trace has no states of threads.
bool slept(const Sources& sources, const BlockedTasks& blocked);

}  // namespace lapscope::analyzer

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

// Considers the times between calls that delayed the tasks in `blocked`. Returns whether threads
// were off their processors for most of these times (assumed::majority). A thread is off its
// processor if another thread runs there, or if the thread waits for something other than CUDA.
// Returns false if the trace has no states of threads.
bool slept(const Sources& sources, const BlockedTasks& blocked);

}  // namespace lapscope::analyzer

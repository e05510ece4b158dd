#pragma once

#include <optional>
#include <span>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/advice.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Returns the functions that host threads ran while the critical path waited for host work between
// two calls:
//
//   thread   [launch]..poll......sort.[launch]      poll 55 %, one sample in sort
//   path     ..A    ]^^^ host-compute ^^^^^^^..B
//
// Returns nothing in these cases:
// - The trace does not record what threads did (Trace::host_states).
// - The times are corrected.
// - The path waits for the host for less than assumed::least_saving of `wall_ns`.
std::optional<HostFunctions> host_functions(const Sources& sources, std::span<const Part> path,
                                            Ns wall_ns);

// Returns whether threads slept while they delayed the tasks in `blocked` with the cause
// host-compute. Considers only the time between two calls of a thread. Threads slept if they were
// off their processors for most of this time (assumed::majority). A thread is off its processor
// while another thread runs there, or while it waits for something other than CUDA. Returns false
// if the states of threads were not recorded.
bool slept(const Sources& sources, const BlockedTasks& blocked);

}  // namespace lapscope::analyzer

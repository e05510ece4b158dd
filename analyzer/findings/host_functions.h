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
// Returns nothing without Trace::host_states or with corrected times. Also returns nothing if the
// path waits for the host for less than assumed::least_saving of `wall_ns`.
std::optional<HostFunctions> host_functions(const Sources& sources, std::span<const Part> path,
                                            Ns wall_ns);

// Whether threads slept while they delayed the tasks in `blocked` with the cause host-compute: they
// were off their processors for most of the time between calls (assumed::majority). Another thread
// then ran there, or they waited for something other than CUDA. False without states of threads.
bool slept(const Sources& sources, const BlockedTasks& blocked);

}  // namespace lapscope::analyzer

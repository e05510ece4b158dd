#pragma once

#include <optional>
#include <span>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/advice.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// In what functions the host was while the critical path waited for what it did between calls:
//
//   thread   [launch]..poll......sort.[launch]      poll 55 %, one sample in sort
//   path     ..A    ]^^^ host-compute ^^^^^^^..B
//
// Nothing where the trace has no such records (Trace::host_states), or the
// path waits for the host for less than assumed::least_saving of `wall_ns`.
std::optional<HostFunctions> host_functions(const Sources& sources, std::span<const Part> path,
                                            Ns wall_ns);

// Whether threads were off their processor for most of the time between calls for which tasks were
// delayed (assumed::majority): they waited for something that is not CUDA's, or others had their
// processor. `blocked`: by host-compute. False where this was not recorded.
bool slept(const Sources& sources, const BlockedTasks& blocked);

}  // namespace lapscope::analyzer

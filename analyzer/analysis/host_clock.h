#pragma once

#include <optional>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Returns the open time of NVTX ranges: the time in which at least one range of a name is open. For
// ranges of several names, returns the sum over the names.
Ns open_time(const std::vector<NvtxRange>& ranges);

// Returns `ranges` as they would be if recording took no time. `corrected` has the times that the
// tasks and calls of `recorded` would then have. `tasks` are indices in Issued::tasks.
//
// The calls in a range show how much time to remove: calls of the range's thread, or else calls of
// threads that issued `tasks`. Returns empty if a range has no such call, or was never closed.
std::optional<std::vector<NvtxRange>> corrected_ranges(const Graph& recorded,
                                                       const Times& corrected,
                                                       const std::vector<std::uint32_t>& tasks,
                                                       std::vector<NvtxRange> ranges);

}  // namespace lapscope::analyzer

#pragma once

#include <optional>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Returns the open time of NVTX ranges: the time in which at least one range of a name is open. For
// ranges of several names, returns the sum over the names.
Ns open_time(const std::vector<NvtxRange>& ranges);

// Returns `ranges` with the times that they have without the recorder's own time. `corrected` has
// the times of `recorded` without this time. `tasks` are indices in Issued::tasks.
//
// Two kinds of calls in a range show how much time to remove: calls of the range's thread, and
// calls of threads that issued `tasks`. Returns empty if a range has no such call, or was never
// closed.
std::optional<std::vector<NvtxRange>> corrected_ranges(const Graph& recorded,
                                                       const Times& corrected,
                                                       const std::vector<std::uint32_t>& tasks,
                                                       std::vector<NvtxRange> ranges);

}  // namespace lapscope::analyzer

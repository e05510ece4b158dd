#pragma once

#include <optional>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The sum of the host times of NVTX ranges, in ns: as recorded, and without the recorder's own
// time.
struct HostTime {
  Ns recorded_ns = 0;
  Ns corrected_ns = 0;
};

// Returns the host time of `ranges`. `corrected` has the times of the graph `recorded`, without the
// recorder's own time. Considers only the tasks in `tasks`, which are indices in Issued::tasks.
//
// The correction of a range's time comes from the calls in the range. Only two kinds of calls are
// used: calls of the range's own thread, and calls of threads that issued `tasks`. Returns empty if
// a range has no such call, or if a range was never closed.
std::optional<HostTime> host_time(const Graph& recorded, const Times& corrected,
                                  const std::vector<std::uint32_t>& tasks,
                                  const std::vector<NvtxRange>& ranges);

}  // namespace lapscope::analyzer

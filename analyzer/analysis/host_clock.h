#pragma once

#include <optional>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The host time of NVTX ranges, in ns: as recorded, and without the recorder's own time.
struct HostTime {
  Ns recorded_ns = 0;
  Ns corrected_ns = 0;
};

// Returns the sum of the host times of `ranges`. `corrected` has the times of `recorded` without
// the recorder's own time. `tasks` are indices in Issued::tasks.
//
// Two kinds of calls in a range show how much time to remove: calls of the range's thread, and
// calls of threads that issued `tasks`. Returns empty if a range has no such call, or was never
// closed.
std::optional<HostTime> host_time(const Graph& recorded, const Times& corrected,
                                  const std::vector<std::uint32_t>& tasks,
                                  const std::vector<NvtxRange>& ranges);

}  // namespace lapscope::analyzer

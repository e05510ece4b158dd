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

// Returns the host time of `ranges`. `corrected` has the times of the graph `recorded` without the
// recorder's own time. `tasks` are indices in Issued::tasks. Considers only these tasks and the
// threads that issued them. A call is usable if one of these threads or the range's own thread made
// it. Returns empty if a range was never closed, or if a range contains no usable call.
std::optional<HostTime> host_time(const Graph& recorded, const Times& corrected,
                                  const std::vector<std::uint32_t>& tasks,
                                  const std::vector<NvtxRange>& ranges);

}  // namespace lapscope::analyzer

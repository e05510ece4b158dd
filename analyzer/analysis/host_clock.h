#pragma once

#include <optional>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// What the host took for NVTX ranges, all added up, in ns: recorded, and without the recorder.
struct HostTime {
  Ns recorded_ns = 0;
  Ns corrected_ns = 0;
};

// `corrected` are the times of `recorded` without the recorder; of the ops those of `tasks` count,
// which are indices in Issued::tasks. Nothing where a range was never closed, and where neither the
// thread of one nor those that issued the tasks have calls in it.
std::optional<HostTime> host_time(const Graph& recorded, const Times& corrected,
                                  const std::vector<std::uint32_t>& tasks,
                                  const std::vector<NvtxRange>& ranges);

}  // namespace lapscope::analyzer

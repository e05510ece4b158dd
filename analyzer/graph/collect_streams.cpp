#include <map>

#include "analyzer/graph/building.h"

namespace lapscope::analyzer {

void collect_streams(const Trace& trace, Graph& graph) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> known;
  for (const Device& device : trace.devices) {
    for (const Stream& stream : device.streams) {
      if (!known.try_emplace({stream.pid, stream.id}, true).second) continue;
      graph.streams.push_back(
          {stream.pid, stream.id, stream.context, stream.kind, stream.priority.value_or(0)});
    }
  }
}

}  // namespace lapscope::analyzer

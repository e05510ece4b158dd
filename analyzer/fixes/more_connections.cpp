#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "analyzer/fixes/fix.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns the number of connections that CUDA_DEVICE_MAX_CONNECTIONS sets. Returns 0 if the driver
// chose the number.
std::uint32_t connections_of(const Trace& trace) {
  const auto known = trace.settings.find("CUDA_DEVICE_MAX_CONNECTIONS");
  if (known == trace.settings.end()) return 0;
  const std::string& text = known->second;
  std::uint32_t asked = 0;
  std::from_chars(text.data(), text.data() + text.size(), asked);
  return asked;
}

// Returns the connection of each stream. The driver assigns connections to streams in turn, in the
// order in which the streams were created. This is also the order of their ids.
// tests/traces/queue-alias-*.sqlite show this with 8 and with 32 connections.
std::vector<std::uint32_t> dealt(const Graph& graph, std::uint32_t connections) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> by_id;
  for (std::uint32_t s = 0; s < graph.streams.size(); ++s) {
    const GraphStream& stream = graph.streams[s];
    by_id[{stream.pid, stream.context, stream.id}] = s;
  }
  std::vector<std::uint32_t> connection(graph.streams.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> count;  // by process and context
  for (const auto& [key, s] : by_id) {
    connection[s] = count[{std::get<0>(key), std::get<1>(key)}]++ % connections;
  }
  return connection;
}

// Streams may share a connection. Kernels in one connection start in the order of issue. Adds this
// order as edges between kernels of different streams.
void share(const std::vector<std::uint32_t>& connection, Edits& edits) {
  const Graph& graph = edits.program();
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> last;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.op == no_index || task.engine != Engine::compute || task.channel == no_channel) {
      continue;
    }
    const GraphStream& stream = graph.streams[task.stream];
    const auto [before, is_first] =
        last.try_emplace({stream.pid, stream.context, connection[task.stream]}, t);
    if (!is_first && graph.tasks[before->second].stream != task.stream) {
      edits.added.push_back({t, {before->second, Cause::queue_alias, true, false}});
    }
    before->second = t;
  }
}

// Gives the program `value` connections. If `value` is 0, gives it the greatest number, or changes
// nothing if the program already has this number.
Edits more_connections_edits(const Trace& trace, const Graph& graph, double value) {
  Edits edits(graph);
  const auto asked = static_cast<std::uint32_t>(value);
  const std::uint32_t most = assumed::most_connections;
  if (asked == 0 && connections_of(trace) >= most) return edits;
  const std::uint32_t connections = asked == 0 ? most : std::min(asked, most);
  edits.remove_edges(Cause::queue_alias);
  share(dealt(graph, connections), edits);
  return edits;
}

}  // namespace

const Fix more_connections{Cause::queue_alias, true, false, more_connections_edits};

}  // namespace lapscope::analyzer

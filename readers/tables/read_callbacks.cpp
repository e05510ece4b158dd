#include "readers/tables/read_host.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "collector/schema/enumeration.h"
#include "collector/schema/global_id.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::GraphEdgeRow;
using schema::GraphLaunchRow;
using schema::GraphNodeRow;
using schema::HostFuncRow;
using schema::Selection;

// Reads the streams of calls from one table. `Graph` is the column of the executable graph, if the
// table has one.
template <class Row, auto... Graph>
void read_streams_of(schema::Database& database, const ReadCalls& calls,
                     std::vector<CallStream>& result) {
  using Columns =
      Selection<COLUMNS(Row, correlationId, globalTid, streamId, graphNodeId), Graph...>;
  for_each_row<Columns>(database, [&](const Row& row) {
    CallStream read;
    read.call = calls.issues.find(schema::pid_of(row.globalTid),
                                  static_cast<std::uint32_t>(row.correlationId));
    if (read.call == no_index) return;
    read.stream = id_of(row.streamId);
    read.is_captured = row.graphNodeId.has_value();
    ((read.graph = row.*Graph), ...);
    result.push_back(read);
  });
}

void keep_once(std::vector<std::uint64_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

// A runtime call has a row, and so has the driver call inside it. If only one of these two rows has
// a stream, that stream is used.
std::vector<CallStream> read_call_streams(schema::Database& database, const ReadCalls& calls) {
  std::vector<CallStream> result;
  read_streams_of<HostFuncRow>(database, calls, result);
  read_streams_of<GraphLaunchRow, &GraphLaunchRow::graphId>(database, calls, result);
  std::ranges::sort(result, {}, [](const CallStream& one) {
    return std::tie(one.call, one.stream, one.is_captured, one.graph);
  });
  const auto same = [](const CallStream& a, const CallStream& b) { return a.call == b.call; };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

Topology read_topology(schema::Database& database, const Calls& calls) {
  Topology topology;
  std::multimap<std::int64_t, Interval> instantiated;  // nodes of executable graphs
  using Nodes = Selection<COLUMNS(GraphNodeRow, start, globalTid, graphNodeId, originalGraphNodeId,
                                  nodeType)>;
  for_each_row<Nodes>(database, [&](const GraphNodeRow& row) {
    topology.nodes.push_back(static_cast<std::uint64_t>(row.graphNodeId));
    if (row.nodeType == schema::codes::host_node)
      topology.host_functions.push_back(topology.nodes.back());
    if (!row.originalGraphNodeId) return;
    const std::uint32_t call = calls.call_at(row.globalTid, row.start);
    if (call != no_index) instantiated.emplace(row.graphNodeId, calls.interval(call));
  });
  keep_once(topology.nodes);
  keep_once(topology.host_functions);
  using Columns = Selection<COLUMNS(GraphEdgeRow, start, graphNodeId, dependencyNodeId, removed)>;
  for_each_row<Columns>(database, [&](const GraphEdgeRow& row) {
    const auto [first, last] = instantiated.equal_range(row.graphNodeId);
    const bool by_cuda = std::any_of(first, last, [&row](const auto& one) {
      return one.second.start <= row.start && row.start < one.second.end;
    });
    const bool is_removed = row.removed.value_or(0) != 0;
    if (is_removed && by_cuda) return;
    topology.dependencies.push_back({static_cast<std::uint64_t>(row.graphNodeId),
                                     static_cast<std::uint64_t>(row.dependencyNodeId), row.start,
                                     is_removed});
  });
  std::ranges::sort(topology.dependencies, {}, [](const NodeDependency& one) {
    return std::tie(one.node, one.time, one.on, one.is_removed);
  });
  return topology;
}

}  // namespace lapscope::analyzer

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "analyzer/intervals/units.h"
#include "collector/schema/enumeration.h"
#include "collector/schema/tables.h"
#include "readers/tables/holes.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::GraphNodeRow;

// The nodes that one graph launch ran.
struct RanNodes {
  std::uint32_t pid = 0;
  std::uint32_t call = 0;
  Ns time = 0;
  std::vector<std::uint64_t> nodes;  // ascending
};

// Returns the graph launches that have ops, ordered by process and time.
std::vector<RanNodes> launches_of(const Trace& trace) {
  const Calls& calls = trace.calls;
  std::map<std::uint32_t, std::vector<std::uint64_t>> by_call;
  for (const Device& device : trace.devices) {
    for (const OpNode& node : device.ops.nodes) {
      const std::uint32_t call = device.ops.issue[node.op];
      if (call == no_index || calls.kind[call] != CallKind::graph_launch) continue;
      by_call[call].push_back(node.node);
    }
  }
  std::vector<RanNodes> launches;
  for (auto& [call, nodes] : by_call) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const std::int64_t tid = calls.threads[calls.thread_of(call)].global_tid;
    launches.push_back({pid_of(tid), call, calls.start[call], std::move(nodes)});
  }
  std::ranges::sort(launches, {},
                    [](const RanNodes& one) { return std::tie(one.pid, one.time, one.call); });
  return launches;
}

// Calls that decide which launches of graphs can be compared.
struct GraphCalls {
  std::set<std::uint32_t> changing;  // processes whose graphs may change between launches
  // Times at which executable graphs were made or destroyed, by process. Node ids may be reused
  // after such a time.
  std::map<std::uint32_t, std::vector<std::int64_t>> renewals;
};

GraphCalls graph_calls_of(const Trace& trace) {
  GraphCalls result;
  const Calls& calls = trace.calls;
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      if (calls.kind[call] != CallKind::other) continue;
      const std::string_view name = trace.names.text(calls.name[call]);
      if (name.find("Graph") == std::string_view::npos) continue;
      const auto has = [name](std::string_view part) {
        return name.find(part) != std::string_view::npos;
      };
      const std::uint32_t pid = pid_of(thread.global_tid);
      if (has("Conditional") || has("ExecUpdate") || has("SetEnabled") || has("SetParams")) {
        result.changing.insert(pid);
      }
      if (has("Instantiate") || has("ExecDestroy")) {
        result.renewals[pid].push_back(calls.start[call]);
      }
    }
  }
  for (auto& [pid, times] : result.renewals) std::sort(times.begin(), times.end());
  return result;
}

// Launches of one executable graph. Launches are of one executable graph if they share nodes, and
// if no executable graph was made or destroyed between them.
struct Siblings {
  std::size_t nodes = 0;  // number of different nodes that ran in the launches
  std::vector<const RanNodes*> launches;
};

std::vector<Siblings> siblings_of(const std::vector<RanNodes>& launches, const GraphCalls& calls) {
  std::vector<Siblings> all;
  std::unordered_map<std::uint64_t, std::size_t> of_node;  // in `all`; cleared at each renewal
  std::pair<std::uint32_t, std::size_t> epoch = {0, 0};    // process, number of renewals so far
  for (const RanNodes& launch : launches) {
    const auto renewals = calls.renewals.find(launch.pid);
    // Before the first recorded renewal, the trace may lack renewals between two launches. So
    // launches before that time cannot be compared.
    if (renewals == calls.renewals.end() || calls.changing.count(launch.pid) > 0) continue;
    const auto& times = renewals->second;
    const auto until = static_cast<std::size_t>(
        std::lower_bound(times.begin(), times.end(), launch.time) - times.begin());
    if (until == 0) continue;
    if (epoch != std::pair(launch.pid, until)) of_node.clear();
    epoch = {launch.pid, until};
    std::size_t group = all.size();
    for (const std::uint64_t node : launch.nodes) {
      const auto known = of_node.find(node);
      if (known == of_node.end()) continue;
      group = known->second;
      break;
    }
    if (group == all.size()) all.emplace_back();
    for (const std::uint64_t node : launch.nodes) {
      if (of_node.try_emplace(node, group).second) ++all[group].nodes;
    }
    all[group].launches.push_back(&launch);
  }
  return all;
}

struct MadeNode {
  Ns time = 0;
  std::int64_t thread = 0;
  std::uint64_t node = 0;
};

// Returns the kernel, copy and memset nodes of executable graphs: by graph, and ordered by time.
std::map<std::int64_t, std::vector<MadeNode>> made_nodes(schema::Database& database) {
  std::map<std::int64_t, std::vector<MadeNode>> made;
  using Columns = schema::Selection<COLUMNS(GraphNodeRow, start, globalTid, graphId, graphNodeId,
                                            originalGraphNodeId, nodeType)>;
  for_each_row<Columns>(database, [&made](const GraphNodeRow& row) {
    if (!row.graphId || !row.originalGraphNodeId || row.nodeType > schema::codes::memset_node)
      return;
    made[*row.graphId].push_back(
        {row.start, row.globalTid, static_cast<std::uint64_t>(row.graphNodeId)});
  });
  for (auto& [graph, nodes] : made) {
    std::ranges::sort(nodes, {}, [](const MadeNode& one) { return std::tie(one.time, one.node); });
  }
  return made;
}

// Considers the last instantiation of the graph before the launch. Returns whether one of its nodes
// did not run in the launch. `made` has the nodes of all instantiations of the graph.
bool lacks_made_node(const Trace& trace, const std::vector<MadeNode>& made,
                     const RanNodes& launch) {
  const auto after = std::find_if(made.rbegin(), made.rend(), [&launch](const MadeNode& node) {
    return node.time < launch.time;
  });
  if (after == made.rend()) return false;
  const std::uint32_t call = trace.calls.call_at(after->thread, after->time);
  const Interval instantiation =
      call == no_index ? Interval{after->time, after->time} : trace.calls.interval(call);
  return std::any_of(after, made.rend(), [&](const MadeNode& node) {
    return node.thread == after->thread && instantiation.start <= node.time &&
           !std::binary_search(launch.nodes.begin(), launch.nodes.end(), node.node);
  });
}

}  // namespace

std::vector<std::uint32_t> short_graph_launches(schema::Database& database, const Trace& trace) {
  std::set<std::uint32_t> lacking;
  const std::vector<RanNodes> launches = launches_of(trace);
  if (launches.empty()) return {};
  const GraphCalls calls = graph_calls_of(trace);
  for (const Siblings& siblings : siblings_of(launches, calls)) {
    for (const RanNodes* launch : siblings.launches) {
      if (launch->nodes.size() < siblings.nodes) lacking.insert(launch->call);
    }
  }
  const auto made = made_nodes(database);
  for (const RanNodes& launch : launches) {
    if (calls.changing.count(launch.pid) > 0) continue;
    const CallStream* graph_call = stream_of_call(trace, launch.call);
    if (graph_call == nullptr || !graph_call->graph) continue;
    const auto nodes = made.find(*graph_call->graph);
    if (nodes != made.end() && lacks_made_node(trace, nodes->second, launch)) {
      lacking.insert(launch.call);
    }
  }
  return {lacking.begin(), lacking.end()};
}

}  // namespace lapscope::analyzer

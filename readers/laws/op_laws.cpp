#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "collector/schema/enumeration.h"
#include "collector/schema/tables.h"
#include "readers/laws/check_laws.h"
#include "readers/tables/provenance.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer::laws {
namespace {

using Id = std::pair<std::uint32_t, std::uint32_t>;  // process and id

// Counts waits or event records whose context is unknown or whose stream is not listed.
template <class Record>
std::int64_t unknown_of(const std::vector<Record>& records, const std::set<Id>& streams,
                        const std::map<Id, std::int64_t>& contexts) {
  return std::count_if(records.begin(), records.end(), [&](const Record& record) {
    const bool has_stream =
        record.stream == no_index || streams.count({record.pid, record.stream}) > 0;
    return !has_stream || contexts.count({record.pid, record.context}) == 0;
  });
}

}  // namespace

std::int64_t known_streams(const TraceAsRead& read) {
  using schema::StreamRow;
  const Trace& trace = read.trace;
  if (!trace.facts.has_all("STREAM") || !trace.facts.has_all("CONTEXT")) return 0;
  std::map<Id, std::int64_t> device_of_context;
  for (const CudaContext& one : trace.contexts) device_of_context[{one.pid, one.id}] = one.device;
  std::set<Id> streams;
  using Columns = schema::Selection<COLUMNS(StreamRow, processId, streamId)>;
  for_each_row<Columns>(read.database, [&streams](const StreamRow& row) {
    streams.insert({static_cast<std::uint32_t>(row.processId), id_of(row.streamId)});
  });
  std::int64_t unknown = unknown_of(trace.synchronizations, streams, device_of_context) +
                         unknown_of(trace.event_records, streams, device_of_context);
  for (const CallStream& one : trace.call_streams) {
    const Calls::Thread& thread = trace.calls.threads[trace.calls.thread_of(one.call)];
    unknown +=
        one.stream != no_index && streams.count({pid_of(thread.global_tid), one.stream}) == 0;
  }
  for (const Device& device : trace.devices) {
    for (const Stream& stream : device.streams) {
      const auto context = device_of_context.find({stream.pid, stream.context});
      unknown += context == device_of_context.end() || context->second != device.id;
    }
  }
  return unknown;
}

std::int64_t one_kernel_a_launch(const TraceAsRead& read) {
  const Trace& trace = read.trace;
  std::vector<bool> has_one(trace.calls.size());
  std::int64_t more = 0;
  for (const Device& device : trace.devices) {
    const Ops& ops = device.ops;
    for (std::size_t op = 0; op < ops.size(); ++op) {
      const std::uint32_t call = ops.issue[op];
      if (call == no_index || trace.calls.kind[call] != CallKind::launch) continue;
      if (trace.names.text(trace.calls.name[call]).find("MultiDevice") != std::string_view::npos) {
        continue;
      }
      more += has_one[call];
      has_one[call] = true;
    }
  }
  return more;
}

// Counts ops whose kind does not fit the function that issued them. Skips ops of graphs, of
// functions that lapscope does not know, and of calls that load modules, because such calls also
// issue copies.
std::int64_t issued_so(const TraceAsRead& read) {
  const Trace& trace = read.trace;
  std::int64_t otherwise = 0;
  for (const Device& device : trace.devices) {
    const Ops& ops = device.ops;
    for (std::size_t op = 0; op < ops.size(); ++op) {
      if (ops.issue[op] == no_index) continue;
      const CallKind call = trace.calls.kind[ops.issue[op]];
      if (call == CallKind::other || call == CallKind::graph_launch || call == CallKind::load) {
        continue;
      }
      const bool is_so = ops.kind[op] == OpKind::kernel ? call == CallKind::launch
                         : ops.kind[op] == OpKind::memset
                             ? call == CallKind::memset
                             : call == CallKind::copy_async || call == CallKind::copy_blocking;
      otherwise += !is_so;
    }
  }
  return otherwise;
}

std::int64_t all_issued(const TraceAsRead& read) {
  // Uses the kinds that the collector requested. TraceFacts::recorded does not suffice, because it
  // leaves out a kind if rows of this kind are missing.
  const auto kinds = recorded_kinds(read.database, read.trace.facts.knows);
  const auto has = [&kinds](std::string_view kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  const bool are_there = read.extent.is_whole && has("RUNTIME") && has("DRIVER");
  return are_there ? read.unissued_ops : 0;
}

// Counts ops that start before their call or end after the recording. Does not count ops that
// overlap with other ops of their stream. Copies in graphs can overlap. Such an overlap breaks no
// law, but makes scopes inconclusive.
std::int64_t in_order(const TraceAsRead& read) {
  std::int64_t broken = 0;
  for (const HealthRow& row : read.trace.health) {
    if (row.kind != HealthKind::impossible_ops && row.kind != HealthKind::impossible_device) {
      continue;
    }
    broken += std::get<std::int64_t>(row.details[1]) + std::get<std::int64_t>(row.details[2]);
  }
  return broken;
}

std::int64_t all_finished(const TraceAsRead& read) {
  return read.extent.is_whole ? read.tables.ops.unfinished : 0;
}

std::int64_t directions(const TraceAsRead& read) { return read.tables.ops.odd_directions; }

std::int64_t channels(const TraceAsRead& read) { return read.tables.ops.odd_channels; }

// Counts impossible edges, and ops that do not fit their node or their call. An edge must have two
// nodes of the same graph. Edges are not counted if neither node has a row: if the collector did
// not record how a graph was made, no node of this graph has a row.
std::int64_t graphs(const TraceAsRead& read) {
  using schema::GraphEdgeRow;
  using schema::GraphNodeRow;
  std::map<std::int64_t, std::optional<std::int64_t>> graph_of_node;
  std::set<std::uint64_t> others;  // nodes other than kernels
  using Nodes = schema::Selection<COLUMNS(GraphNodeRow, graphNodeId, graphId, nodeType)>;
  for_each_row<Nodes>(read.database, [&](const GraphNodeRow& row) {
    graph_of_node[row.graphNodeId] = row.graphId;
    if (row.nodeType != schema::codes::kernel_node)
      others.insert(static_cast<std::uint64_t>(row.graphNodeId));
  });
  std::int64_t broken = 0;
  using Edges = schema::Selection<COLUMNS(GraphEdgeRow, graphNodeId, dependencyNodeId)>;
  for_each_row<Edges>(read.database, [&](const GraphEdgeRow& row) {
    const auto one = graph_of_node.find(row.graphNodeId);
    const auto other = graph_of_node.find(row.dependencyNodeId);
    const bool is_one_known = one != graph_of_node.end();
    const bool is_other_known = other != graph_of_node.end();
    broken += row.graphNodeId == row.dependencyNodeId || is_one_known != is_other_known ||
              (is_one_known && is_other_known && one->second != other->second);
  });
  for (const Device& device : read.trace.devices) {
    const Ops& ops = device.ops;
    for (const OpNode& node : ops.nodes) {
      broken += ops.kind[node.op] == OpKind::kernel && others.count(node.node) > 0;
    }
    for (std::size_t op = 0; op < ops.size() && !read.extent.lacks_graphs; ++op) {
      if (ops.issue[op] == no_index) continue;
      const CallKind call = read.trace.calls.kind[ops.issue[op]];
      const bool is_node = (ops.memory[op] & in_graph) != 0;
      broken += is_node ? call == CallKind::launch : call == CallKind::graph_launch;
    }
  }
  return broken;
}

}  // namespace lapscope::analyzer::laws

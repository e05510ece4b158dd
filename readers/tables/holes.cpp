#include "readers/tables/holes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "analyzer/intervals/units.h"
#include "analyzer/model/captures.h"
#include "collector/schema/enumeration.h"
#include "collector/schema/tables.h"
#include "collector/schema/wait_functions.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::ApiCallRow;
using schema::Database;
using schema::GraphLaunchRow;
using schema::GraphNodeRow;
using schema::RecordsRow;
using schema::Selection;

using Instant = std::pair<std::int64_t, std::int64_t>;  // thread and time
using Suspects = std::map<Instant, std::uint32_t>;      // calls by thread and start

bool is_transfer(CallKind kind) {
  return kind == CallKind::copy_async || kind == CallKind::copy_blocking ||
         kind == CallKind::memset;
}

bool issues_ops(CallKind kind) {
  return kind == CallKind::launch || kind == CallKind::graph_launch || is_transfer(kind);
}

// Returns for each call whether the call itself or a call inside it issued an op.
std::vector<bool> calls_with_ops(const Trace& trace, const std::vector<std::uint32_t>& excused) {
  const Calls& calls = trace.calls;
  std::vector<bool> has_op(calls.size());
  for (const Device& device : trace.devices) {
    for (const std::uint32_t call : device.ops.issue) {
      if (call != no_index) has_op[call] = true;
    }
  }
  for (const std::uint32_t call : excused) has_op[call] = true;
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t inner = thread.last; inner < thread.end; ++inner) {
      if (!has_op[inner]) continue;
      const auto after = std::upper_bound(calls.start.begin() + thread.first,
                                          calls.start.begin() + thread.last, calls.start[inner]);
      if (after != calls.start.begin() + thread.first) {
        has_op[static_cast<std::size_t>(after - calls.start.begin()) - 1] = true;
      }
    }
  }
  return has_op;
}

// Decides whether the op of a call certainly ran while ops were recorded.
class Recorded {
 public:
  Recorded(const Trace& trace, const Extent& extent) : is_whole_(extent.is_whole) {
    if (is_whole_) return;
    const bool knows_end = trace.facts.knows.end_of_gpu;
    const Calls& calls = trace.calls;
    Ns longest = 0;  // longest time from a call to the start of its op
    Ns last = 0;     // latest start of a call or an op
    Ns gpu_end = 0;
    for (const Device& device : trace.devices) {
      const Ops& ops = device.ops;
      for (std::size_t op = 0; op < ops.size(); ++op) {
        first_ = std::min(first_, ops.start[op]);
        gpu_end = std::max(gpu_end, ops.end[op]);
        last = std::max(last, ops.start[op]);
        if (ops.issue[op] == no_index) continue;
        longest = std::max(longest, ops.start[op] - calls.start[ops.issue[op]]);
      }
    }
    for (const Ns start : calls.start) last = std::max(last, start);
    last -= extent.unwritten;
    prompt_end_ = std::min(gpu_end, last) - longest;
    // A finished wait shows that all earlier ops of one device ran. Waits are used only if the
    // trace has no other device.
    if (trace.devices.size() == 1) find_waits(trace, knows_end ? last : gpu_end);
    find_streams(trace);
    if (!knows_end) gpu_end_ = gpu_end;
  }

  bool holds(const Calls& calls, std::uint32_t call, std::uint32_t pid) const {
    if (is_whole_) return true;
    if (calls.start[call] < first_ || calls.start[call] > gpu_end_) return false;
    const auto wait = last_wait_.find(pid);
    if (wait != last_wait_.end() && calls.end[call] <= wait->second) return true;
    const std::vector<StreamUse>& streams = streams_[calls.thread_of(call)];
    if (streams.empty()) return calls.end[call] < prompt_end_;
    return std::all_of(streams.begin(), streams.end(), [&](const StreamUse& stream) {
      const bool is_followed = calls.end[call] < stream.last_issue;
      const bool is_idle = stream.end <= calls.end[call];
      return is_followed || (is_idle && calls.end[call] < prompt_end_);
    });
  }

 private:
  // One thread's use of a stream. The op that was issued at `last_issue` ran. A stream runs ops in
  // the order of issue, so all ops that the thread issued to the stream before have run, too.
  struct StreamUse {
    Ns last_issue = 0;  // start of the last call whose op is in the trace
    Ns end = 0;         // of the stream's last op in the trace
  };

  // Finds, for each process, the last finished wait for a whole context.
  void find_waits(const Trace& trace, Ns last) {
    const Calls& calls = trace.calls;
    for (const Calls::Thread& thread : calls.threads) {
      for (std::uint32_t call = thread.first; call < thread.last; ++call) {
        if (calls.kind[call] != CallKind::synchronize || calls.end[call] > last) continue;
        const auto* wait = schema::wait_function(trace.names.text(calls.name[call]));
        if (!wait || wait->kind != schema::WaitKind::waits_for_context) continue;
        Ns& begin = last_wait_[pid_of(thread.global_tid)];
        begin = std::max(begin, calls.start[call]);
      }
    }
  }

  void find_streams(const Trace& trace) {
    std::map<std::pair<std::uint32_t, std::uint64_t>, StreamUse> uses;  // by thread and stream
    for (std::size_t d = 0; d < trace.devices.size(); ++d) {
      const Ops& ops = trace.devices[d].ops;
      std::vector<Ns> end(trace.devices[d].streams.size());
      for (std::size_t op = 0; op < ops.size(); ++op) {
        end[ops.stream[op]] = std::max(end[ops.stream[op]], ops.end[op]);
      }
      for (std::size_t op = 0; op < ops.size(); ++op) {
        if (ops.issue[op] == no_index) continue;
        const std::uint64_t stream = (std::uint64_t{d} << 32) | ops.stream[op];
        StreamUse& use = uses[{trace.calls.thread_of(ops.issue[op]), stream}];
        use.last_issue = std::max(use.last_issue, trace.calls.start[ops.issue[op]]);
        use.end = end[ops.stream[op]];
      }
    }
    streams_.resize(trace.calls.threads.size());
    for (const auto& [thread_and_stream, use] : uses) {
      streams_[thread_and_stream.first].push_back(use);
    }
  }

  bool is_whole_;
  Ns first_ = latest_time;
  Ns gpu_end_ = latest_time;
  std::vector<std::vector<StreamUse>> streams_;  // by thread
  // The end of the recorded GPU time, minus the longest time from a call to the start of its op. If
  // a call ends earlier, its op is assumed to have started in the recorded GPU time.
  Ns prompt_end_ = 0;
  std::map<std::uint32_t, Ns> last_wait_;  // by process
};

// Forms pairs of a call without an op and an op without a call. The call of a pair starts before
// its op. Returns the largest possible number of pairs. `calls` has the start times of the calls
// without an op.
//
//   calls    [a]     [b]  [c]
//   ops          [1]            [2]    two pairs: a and 1, b and 2
std::int64_t with_unissued_op(const Trace& trace, std::vector<Ns> calls, bool are_launches) {
  if (calls.empty()) return 0;
  std::vector<Ns> ops;
  for (const Device& device : trace.devices) {
    for (std::size_t op = 0; op < device.ops.size(); ++op) {
      const bool is_kernel = device.ops.kind[op] == OpKind::kernel;
      if (device.ops.issue[op] == no_index && is_kernel == are_launches) {
        ops.push_back(device.ops.start[op]);
      }
    }
  }
  std::sort(calls.begin(), calls.end());
  std::sort(ops.begin(), ops.end());
  std::int64_t joined = 0;
  auto call = calls.begin();
  for (const Ns op : ops) {
    if (call == calls.end()) break;
    if (*call > op) continue;
    ++call;
    ++joined;
  }
  return joined;
}

// Removes the suspect call in which this instant lies. An instant is a time on a thread.
void excuse(Suspects& suspects, const Calls& calls, Instant instant) {
  const auto after = suspects.upper_bound(instant);
  if (after == suspects.begin()) return;
  const auto call = std::prev(after);
  const bool lasts =
      call->first.first == instant.first && instant.second <= calls.end[call->second];
  if (lasts) suspects.erase(call);
}

void excuse_failed(Database& database, const Calls& calls, Suspects& suspects) {
  if (!database.has_column(schema::describe<ApiCallRow>.name, "returnValue")) return;
  using Results = Selection<COLUMNS(ApiCallRow, start, globalTid, returnValue)>;
  for_each_row<Results>(database, [&](const ApiCallRow& row) {
    if (row.returnValue != 0) excuse(suspects, calls, {row.globalTid.value_or(0), row.start});
  });
}

// Returns true if callbacks reported the nodes of graphs, and if the trace still has the rows of
// these nodes.
bool knows_nodes(Database& database) {
  if (!has_table<RecordsRow>(database)) return false;
  const auto received =
      database.query_int64("SELECT max(received) FROM " + schema::table_name<RecordsRow>() +
                           " WHERE name = 'GRAPH_NODES' AND enableResult = 0");
  return received && (*received == 0 || has_table<GraphNodeRow>(database));
}

// Removes calls that made a graph node instead of enqueueing an op.
void excuse_captured(Database& database, const Trace& trace, Suspects& suspects) {
  using Nodes = Selection<COLUMNS(GraphNodeRow, globalTid, start)>;
  for_each_row<Nodes>(database, [&](const GraphNodeRow& row) {
    excuse(suspects, trace.calls, {row.globalTid, row.start});
  });
  std::erase_if(suspects, [&trace](const auto& suspect) {
    const CallStream* stream = stream_of_call(trace, suspect.second);
    return stream != nullptr && stream->is_captured;
  });
}

// Removes launches of graphs that have no kernel, copy or memset node.
void excuse_empty_graphs(Database& database, const Trace& trace, Suspects& suspects) {
  std::set<std::int64_t> running;  // graphs with such a node
  using Nodes = Selection<COLUMNS(GraphNodeRow, graphId, nodeType)>;
  for_each_row<Nodes>(database, [&running](const GraphNodeRow& row) {
    using namespace schema::codes;
    const bool runs = row.nodeType != host_node && row.nodeType != empty_node;
    if (row.graphId && runs) running.insert(*row.graphId);
  });
  std::erase_if(suspects, [&](const auto& suspect) {
    const CallStream* stream = stream_of_call(trace, suspect.second);
    return stream != nullptr && stream->graph && running.count(*stream->graph) == 0;
  });
}

}  // namespace

Holes find_holes(Database& database, const Trace& trace, const Extent& extent,
                 const std::vector<std::uint32_t>& excused) {
  const Calls& calls = trace.calls;
  if (calls.size() == 0 || trace.devices.empty()) return {};
  Holes holes;
  const std::vector<bool> has_op = calls_with_ops(trace, excused);
  const Recorded recorded(trace, extent);
  Suspects suspects;
  for (const Calls::Thread& thread : calls.threads) {
    const std::uint32_t pid = pid_of(thread.global_tid);
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      if (is_transfer(calls.kind[call])) ++holes.all_transfers;
      if (!issues_ops(calls.kind[call]) || has_op[call]) continue;
      if (extent.lacks_graphs && calls.kind[call] == CallKind::graph_launch) continue;
      if (!recorded.holds(calls, call, pid)) continue;
      suspects.emplace(Instant(thread.global_tid, calls.start[call]), call);
    }
  }
  if (!suspects.empty()) excuse_failed(database, calls, suspects);
  if (!suspects.empty()) {
    if (knows_nodes(database)) {
      excuse_captured(database, trace, suspects);
      excuse_empty_graphs(database, trace, suspects);
    } else {
      // Without reported nodes, excuse every call of the process during a stream capture.
      const Captures captures(trace);
      std::erase_if(suspects,
                    [&](const auto& suspect) { return captures.may_hold(calls, suspect.second); });
    }
  }
  std::vector<Ns> launches;
  std::vector<Ns> transfers;
  for (const auto& [instant, call] : suspects) {
    const CallKind kind = calls.kind[call];
    if (kind == CallKind::graph_launch) {
      ++holes.graphs;
    } else {
      (kind == CallKind::launch ? launches : transfers).push_back(calls.start[call]);
    }
  }
  const std::int64_t unjoined_launches = with_unissued_op(trace, launches, true);
  const std::int64_t unjoined_transfers = with_unissued_op(trace, transfers, false);
  holes.launches = static_cast<std::int64_t>(launches.size()) - unjoined_launches;
  holes.transfers = static_cast<std::int64_t>(transfers.size()) - unjoined_transfers;
  holes.unjoined = unjoined_launches + unjoined_transfers;
  if (extent.lacks_graphs) return holes;
  const std::vector<bool> is_excused = [&] {
    std::vector<bool> flags(calls.size());
    for (const std::uint32_t call : excused) flags[call] = true;
    return flags;
  }();
  for (const std::uint32_t call : short_graph_launches(database, trace)) {
    const std::uint32_t pid = pid_of(calls.threads[calls.thread_of(call)].global_tid);
    if (!is_excused[call] && recorded.holds(calls, call, pid)) ++holes.graphs;
  }
  return holes;
}

}  // namespace lapscope::analyzer

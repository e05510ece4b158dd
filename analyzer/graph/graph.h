#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/graph/column.h"
#include "analyzer/machine/parameters.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/trace.h"

// The constraint graph: what each op and each host call had to wait for. Cause, blame and
// prediction all come from it. It holds a stretch of a trace, all devices and threads together,
// because a fix on one shows on the others.
//
//   host thread   [launch][launch]   [sync........]   steps: the thread's calls, in order
//                     \       \            ^
//   stream 1       [ task ]--->[ task ]----'          tasks: ops, and host functions in streams
//   stream 2                 \ event                  edges: what a task waits for
//                             '->[ task ]
//
// Engines are no edges: who waits for whom there depends on the order in which tasks become ready,
// and that is what a fix changes. The replay knows them.
namespace lapscope::analyzer {

enum class TaskKind : std::uint8_t { op, host_function };

// Something that a stream executes. A node of a graph launch that calls back to the host is one
// where other nodes wait for it, which tells its time. Times are in ns since the session start.
struct Task : Load {
  std::uint32_t op = no_index;  // in its device's Ops
  std::int64_t start = 0;  // as recorded, but with began_early; of a host function, as inferred
  std::int64_t end = 0;
  // In Graph::steps, the call that issued it; no_index: not known, or before the graph begins.
  std::uint32_t step = no_index;
  // From the start of that call until the task was on its way. While constraints are collected, of
  // an op without a step: from its start back to when it was issued, at the latest.
  std::int64_t issue_offset = 0;
  // Of a host function that is a node of a CUDA graph: in Topology::host_functions.
  std::uint32_t function_node = no_index;
  std::uint16_t channel = no_channel;  // of the hardware, as in Ops
  TaskKind kind = TaskKind::op;
  bool communicates = false;  // a kernel that communicates between GPUs, by its name
  bool is_value = false;      // a copy to the host of so little that a host that waits reads it
  // A kernel that began before the one ahead of it in its stream had ended, and is there without a
  // latency: it begins at that end. See begin_behind().
  bool began_early = false;

  friend bool operator==(const Task&, const Task&) = default;
};

// A task may not start before another one has ended, or has started.
struct Edge {
  std::uint32_t from = 0;  // in Graph::tasks
  Cause cause = Cause::unexplained;
  bool from_start = false;
  bool removed = false;  // of an edit; no edge of a graph is

  friend bool operator==(const Edge&, const Edge&) = default;
};

// What held a task up longest, and how long it then still took to start.
struct Binding {
  Cause cause = Cause::unexplained;   // launch_overhead, whatever the host did before its call
  std::uint32_t from = no_index;      // the task that held it up, or no_index when the host did
  std::int64_t release = never;       // when that let it go
  std::int64_t next_release = never;  // when everything else had, with the usual latency
  std::int64_t lag = 0;               // from the release to the start, as far as it is latency

  friend bool operator==(const Binding&, const Binding&) = default;
};

// Why a call comes after one of another thread.
enum class After : std::uint8_t {
  thread,  // one of the threads seems to have made the other, or to join it
  turn,    // they take turns: one seems to wait until the other has done its part
  lock,    // and they do the same work, so that nothing but a lock need keep them apart
  value,   // another thread copied a value to the host, and a host function behind it woke this one
};

// A call of a host thread, with the time before it.
struct Step : CallLoad {
  std::int64_t start = 0;  // as recorded
  std::int64_t end = 0;
  std::int64_t gap = 0;  // from the end of the step before, or of the one that it comes after
  std::uint32_t call = no_index;        // in Trace::calls
  std::uint32_t after = no_index;       // a step of another thread that must have ended, too
  std::uint32_t after_task = no_index;  // or a task
  std::int64_t after_gap = 0;           // and how long before
  std::uint32_t first_task = 0;  // it issues Graph::tasks [first_task, first_task + task_count)
  std::uint32_t task_count = 0;
  std::uint32_t first_wait = 0;  // it waits for Graph::waits [first_wait, first_wait + wait_count)
  // So long after its start it issues its tasks at the soonest: until then other threads issued
  // what is ahead in its stream, in calls that lasted at the same time.
  std::int32_t overtaken = 0;
  Cause cause = Cause::host_call;    // what being in it stands for
  After after_kind = After::thread;  // of `after` or `after_task`, where there is one
  bool is_graph_launch = false;
  bool loads = false;  // code was loaded while it lasted

  // Whether its thread waited ahead of it, so that it can begin `after_gap` behind what it waited
  // for, and `gap` is what the thread did before.
  bool waits_for_turn() const {
    return (after != no_index && after_kind != After::thread) || after_task != no_index;
  }

  friend bool operator==(const Step&, const Step&) = default;
};

// What recording adds to a call, at its end, and to the time before it, at its begin; in ns, as far
// as they were seen to take so long.
struct Charge {
  std::int32_t call = 0;
  std::int32_t before = 0;
};

// A thread's steps are [first, last).
struct ThreadSteps {
  std::int64_t global_tid = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// Time from a release to a start that nothing else explains: the median over the tasks that were
// bound by that cause and run on that engine, in ns.
struct Latency {
  std::int64_t typical = 0;
  const Assumption* assumed = nullptr;  // where the trace has no example
};
struct Latencies {
  std::array<std::array<Latency, all_engines.size()>, cause_count> by_cause{};

  const Latency& of(Cause cause, Engine engine) const {
    return by_cause[static_cast<std::size_t>(cause)][static_cast<std::size_t>(engine)];
  }
};

// What stands in for what a trace has no examples of. Recordings chose these numbers: to be fair to
// one of them, others are chosen without it.
struct StandInValues {
  std::int64_t latency_from_host = assumed::latency_from_host;      // ns
  std::int64_t latency_between_ops = assumed::latency_between_ops;  // ns
  std::int64_t quick_call = assumed::quick_call;                    // ns
  double both_directions = assumed::both_directions;                // share
};

struct Graph : Parameters {
  Column<Task> tasks;                // in the order of their issue
  Column<std::uint32_t> edge_begin;  // edges to task t are [edge_begin[t], edge_begin[t + 1])
  Column<Edge> edges;
  Column<Binding> bindings;  // of each task, as recorded
  Column<Step> steps;        // thread by thread
  std::vector<ThreadSteps> threads;
  Column<std::uint32_t> waits;  // tasks that steps wait for the end of
  // Whether kernels were recorded beside each other of which it is not known what they share.
  bool is_in_doubt = false;
  std::vector<Crowding> crowded;  // of each two shapes the first time
  Latencies latencies;
  std::int64_t quick_call = assumed::quick_call;  // of the trace, where it has examples
  StandInValues stand_in_values;
  // The names of assumptions that stand in for what the trace has no examples of.
  std::set<std::string_view> stand_ins;
  std::int64_t begin = 0;  // of the first step or task
  // Its replay may not look at when a task was seen to start (analyzer/replay/blind.h).
  bool is_blind = false;

  // An edge that the recorded times contradict says nothing about the program; so many were left
  // out.
  std::int64_t contradicted = 0;
};

// Whether a task copies from or to pageable memory, which is staged. A value that the host reads is
// not counted: whatever memory it goes to, the host waits until it is there.
inline bool is_pageable(const Trace& trace, const Task& task) {
  if (task.op == no_index || task.is_value) return false;
  const std::uint8_t memory = trace.devices[task.device].ops.memory[task.op];
  return (memory & (source_pageable | target_pageable)) != 0;
}

// When the recorded times of an edge's task let the other one go.
inline std::int64_t released_at(const Graph& graph, const Edge& edge) {
  const Task& from = graph.tasks[edge.from];
  return edge.from_start ? from.start : from.end;
}

// When a call is taken to issue its tasks.
inline std::int64_t issues_at(const Step& step) { return step.start + step.overtaken; }
// When a task was issued, or had been at the latest.
inline std::int64_t issued_at(const Graph& graph, const Task& task) {
  return task.step == no_index ? task.start + task.issue_offset : issues_at(graph.steps[task.step]);
}

// Finds the threads of a graph by their ids. Refers to it.
class ThreadIndex {
 public:
  explicit ThreadIndex(const Graph& graph) : threads_(graph.threads) {
    for (std::uint32_t t = 0; t < threads_.size(); ++t)
      index_.try_emplace(threads_[t].global_tid, t);
  }
  // Null when the graph has none of its calls.
  const ThreadSteps* of(std::int64_t global_tid) const {
    const auto found = index_.find(global_tid);
    return found == index_.end() ? nullptr : &threads_[found->second];
  }

 private:
  const std::vector<ThreadSteps>& threads_;
  std::unordered_map<std::int64_t, std::uint32_t> index_;
};

// The thread that a step is of.
inline const ThreadSteps& thread_of(const Graph& graph, std::uint32_t step) {
  const auto after =
      std::partition_point(graph.threads.begin(), graph.threads.end(),
                           [step](const ThreadSteps& thread) { return thread.first <= step; });
  return *std::prev(after);
}

}  // namespace lapscope::analyzer

#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/graph/column.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/workload.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/trace.h"

// The program of an interval of a trace: the calls and tasks, and what each must wait for. It
// covers all devices and threads, because a fix on one of them affects the others. It has no times
// (see Times) and no durations (see Parameters).
//
//   host thread   [launch][launch]   [sync........]   steps: the thread's calls, in order
//                     \       \            ^
//   stream 1       [ task ]--->[ task ]----'          tasks: ops, and host functions in streams
//   stream 2                 \ event                  edges: what a task waits for
//                             '->[ task ]
//
// A wait for an engine is not an edge: it depends on the order in which tasks become ready, which a
// fix can change. The machine simulates the engines.
namespace lapscope::analyzer {

// When tasks and steps ran, or would run, in ns since the session start. Two kinds of times are not
// recorded but inferred: the times of host functions, and the starts of kernels that began early
// (Task::began_early).
struct Times {
  Column<Interval> tasks;
  Column<Interval> steps;
};

enum class TaskKind : std::uint8_t { op, host_function };

// Something that a stream executes. A host function of a graph launch is a task only if the trace
// has the whole graph, because the nodes around the function show when it ran.
struct Task : Needs {
  std::uint32_t op = no_index;  // in its device's Ops
  // The call that issued the task: an index in HostSteps::steps. It is no_index if the call is not
  // known, or if the call began before the program's interval.
  std::uint32_t step = no_index;
  // The index in Topology::host_functions, for a host function that is a node of a CUDA graph.
  std::uint32_t function_node = no_index;
  std::uint16_t channel = no_channel;  // hardware channel, as in Ops
  TaskKind kind = TaskKind::op;
  bool communicates = false;  // a kernel that communicates between GPUs, by its name
  bool is_value = false;      // copies a small value (most_of_a_value) that a waiting host reads
  // Whether, in the trace, this kernel and the kernel ahead of it in its stream ran at the same
  // time. If so, the start of this kernel in Times::tasks is the end of the kernel ahead, not the
  // recorded start.
  bool began_early = false;

  // Returns the engine whose measures include the task. For a kernel that communicates, this is
  // Engine::communication, although the kernel occupies `engine`.
  Engine works_on() const { return communicates ? Engine::communication : engine; }
  bool is_host_function() const { return kind == TaskKind::host_function; }

  friend bool operator==(const Task&, const Task&) = default;
};

// A task may not start before `from` has ended. If `from_start` is set, the task may not start
// before `from` has started.
struct Edge {
  std::uint32_t from = 0;  // in Issued::tasks
  Cause cause = Cause::unexplained;
  bool from_start = false;
  bool removed = false;  // by an edit; never set in a program

  friend bool operator==(const Edge&, const Edge&) = default;
};

struct NewEdge {
  std::uint32_t to = 0;
  Edge edge;
};

// Why a call comes after a call of another thread (Step::after).
enum class After : std::uint8_t {
  thread,  // one thread seems to have created the other, or to join it
  turn,    // the threads take turns: one seems to wait until the other has done its part
  lock,    // as turn, and both do the same work: perhaps only a lock keeps them apart
};

// A call of a host thread, and the gap before this call. If `after` is set, the call also comes
// after a call of another thread.
struct Step : CallLoad {
  Ns gap = 0;        // time since the thread's previous step, without the wait for the other thread
  Ns after_gap = 0;  // time since the end of the other thread's step
  std::uint32_t call = no_index;   // in Trace::calls
  std::uint32_t after = no_index;  // the other thread's step; no_index if there is none
  std::uint32_t first_task = 0;    // it issues Issued::tasks [first_task, first_task + task_count)
  std::uint32_t task_count = 0;
  std::uint32_t first_wait =
      0;  // it waits for Program::waits [first_wait, first_wait + wait_count)
  // The least time from the start of the call until it issues its tasks, in ns. It is 0 unless
  // concurrent calls of other threads issued work to the same stream before this call did.
  std::int32_t overtaken = 0;
  Cause cause = Cause::host_call;    // of delays by this call
  After after_kind = After::thread;  // why the call comes after the other thread's step
  bool is_graph_launch = false;
  bool loads = false;  // code was loaded during the call

  // Whether the thread waited for the other thread before this call. If so, `gap` is the thread's
  // work before the wait, and the call can begin `after_gap` ns after the other thread's step.
  bool waits_for_turn() const { return after != no_index && after_kind != After::thread; }

  friend bool operator==(const Step&, const Step&) = default;
};

// A thread's steps are [first, last).
struct ThreadSteps {
  std::int64_t global_tid = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// A program is built in three stages, each from the previous one: HostSteps, Issued and Program.
struct HostSteps {
  std::vector<ThreadSteps> threads;
  Column<Step> steps;  // thread by thread
  Ns begin = 0;        // start of the first step or task
};
// The calls, and the tasks that they issued.
struct Issued : HostSteps {
  std::vector<GraphStream> streams;
  Column<Task> tasks;  // in the order of their issue
};
// The calls and tasks, and the tasks that each of them waits for.
struct Program : Issued {
  Column<std::uint32_t> edge_begin;  // edges to task t are [edge_begin[t], edge_begin[t + 1])
  Column<Edge> edges;
  Column<std::uint32_t> waits;  // the tasks whose ends the steps wait for
  std::vector<Rank> ranks;      // collective by collective
  std::vector<CollectiveRanks> collectives;
};

// Whether a task copies from or to pageable memory, so that the driver stages it. False for a copy
// of a value (Task::is_value), because the host always waits for it.
inline bool is_pageable(const Trace& trace, const Task& task) {
  if (task.op == no_index || task.is_value) return false;
  const std::uint8_t memory = trace.devices[task.device].ops.memory[task.op];
  return (memory & (source_pageable | target_pageable)) != 0;
}

inline bool is_graph_node(const HostSteps& host, const Task& task) {
  return task.step != no_index && host.steps[task.step].is_graph_launch;
}

inline bool has_edge(const Program& program, std::uint32_t t, Cause cause) {
  const Edge* edges = program.edges.values().data();
  return std::any_of(edges + program.edge_begin[t], edges + program.edge_begin[t + 1],
                     [cause](const Edge& edge) { return edge.cause == cause; });
}

inline Ns released_at(const Times& times, const Edge& edge) {
  const Interval& from = times.tasks[edge.from];
  return edge.from_start ? from.start : from.end;
}

// Returns the time at which a call is assumed to issue its tasks.
inline Ns issues_at(const HostSteps& host, const Times& times, std::uint32_t step) {
  return times.steps[step].start + host.steps[step].overtaken;
}

class StreamIndex {
 public:
  explicit StreamIndex(const std::vector<GraphStream>& streams) {
    for (std::uint32_t s = 0; s < streams.size(); ++s) {
      index_.try_emplace(key(streams[s].pid, streams[s].id), s);
    }
  }
  // Returns the index of a stream; no_index when there is no such stream.
  std::uint32_t of(std::uint32_t pid, std::uint32_t id) const {
    const auto found = index_.find(key(pid, id));
    return found == index_.end() ? no_index : found->second;
  }

 private:
  static std::uint64_t key(std::uint32_t pid, std::uint32_t id) {
    return std::uint64_t{pid} << 32 | id;
  }
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
};

// Finds threads by their ids. Holds a reference to `host`.
class ThreadIndex {
 public:
  explicit ThreadIndex(const HostSteps& host) : threads_(host.threads) {
    for (std::uint32_t t = 0; t < threads_.size(); ++t)
      index_.try_emplace(threads_[t].global_tid, t);
  }
  // Returns the steps of a thread; null when the program has no calls of the thread.
  const ThreadSteps* of(std::int64_t global_tid) const {
    const auto found = index_.find(global_tid);
    return found == index_.end() ? nullptr : &threads_[found->second];
  }

 private:
  const std::vector<ThreadSteps>& threads_;
  std::unordered_map<std::int64_t, std::uint32_t> index_;
};

inline const ThreadSteps& thread_of(const HostSteps& host, std::uint32_t step) {
  const auto after = std::ranges::partition_point(
      host.threads, [step](const ThreadSteps& thread) { return thread.first <= step; });
  return *std::prev(after);
}

}  // namespace lapscope::analyzer

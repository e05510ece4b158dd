#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/graph/column.h"
#include "analyzer/graph/times.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/workload.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/trace.h"

// The program of an interval of a trace, all devices and threads together, because a fix on one
// shows on the others: what is done, and what has to wait for what. When that was is not part of it
// (Times), nor how long the machine takes for it (Parameters).
//
//   host thread   [launch][launch]   [sync........]   steps: the thread's calls, in order
//                     \       \            ^
//   stream 1       [ task ]--->[ task ]----'          tasks: ops, and host functions in streams
//   stream 2                 \ event                  edges: what a task waits for
//                             '->[ task ]
//
// Engines are no edges: who waits for whom there depends on the order in which tasks become ready,
// and that is what a fix changes. The machine knows them.
namespace lapscope::analyzer {

enum class TaskKind : std::uint8_t { op, host_function };

// Something that a stream executes. A node of a graph launch that calls back to the host is one
// where other nodes wait for it, which shows its time.
struct Task : Needs {
  std::uint32_t op = no_index;  // in its device's Ops
  // In HostSteps::steps, the call that issued it; no_index: not known, or before the program.
  std::uint32_t step = no_index;
  // For a host function that is a node of a CUDA graph: the index in Topology::host_functions.
  std::uint32_t function_node = no_index;
  std::uint16_t channel = no_channel;  // of the hardware, as in Ops
  TaskKind kind = TaskKind::op;
  bool communicates = false;  // a kernel that communicates between GPUs, by its name
  bool is_value = false;      // a copy to the host of so little that a host that waits reads it
  // A kernel that was recorded to begin before the one ahead of it in its stream had ended, and is
  // there without a latency: in Times it begins at that end.
  bool began_early = false;

  // What measures count it for; `engine` is what it needs.
  Engine works_on() const { return communicates ? Engine::communication : engine; }

  friend bool operator==(const Task&, const Task&) = default;
};

// A task may not start before another one has ended, or has started.
struct Edge {
  std::uint32_t from = 0;  // in Issued::tasks
  Cause cause = Cause::unexplained;
  bool from_start = false;
  bool removed = false;  // of an edit; no edge of a program is

  friend bool operator==(const Edge&, const Edge&) = default;
};

// One that leads to a task.
struct NewEdge {
  std::uint32_t to = 0;
  Edge edge;
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
  Ns gap = 0;        // from the end of the step before, or of the one that it comes after
  Ns after_gap = 0;  // from the end of `after` or `after_task`
  std::uint32_t call = no_index;        // in Trace::calls
  std::uint32_t after = no_index;       // a step of another thread that must have ended, too
  std::uint32_t after_task = no_index;  // or a task
  std::uint32_t first_task = 0;  // it issues Issued::tasks [first_task, first_task + task_count)
  std::uint32_t task_count = 0;
  std::uint32_t first_wait =
      0;  // it waits for Program::waits [first_wait, first_wait + wait_count)
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

// A thread's steps are [first, last).
struct ThreadSteps {
  std::int64_t global_tid = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// A program is known in three stages, and each is made of the one before: the calls of its threads,
struct HostSteps {
  std::vector<ThreadSteps> threads;
  Column<Step> steps;  // thread by thread
  Ns begin = 0;        // of the first step or task
};
// what they issued,
struct Issued : HostSteps {
  std::vector<GraphStream> streams;
  Column<Task> tasks;  // in the order of their issue
};
// and what that waited for.
struct Program : Issued {
  Column<std::uint32_t> edge_begin;  // edges to task t are [edge_begin[t], edge_begin[t + 1])
  Column<Edge> edges;
  Column<std::uint32_t> waits;  // tasks that steps wait for the end of
  std::vector<Rank> ranks;      // collective by collective
  std::vector<CollectiveRanks> collectives;
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

// When these times of an edge's task let the other one go.
inline Ns released_at(const Times& times, const Edge& edge) {
  const Interval& from = times.tasks[edge.from];
  return edge.from_start ? from.start : from.end;
}

// When a call is taken to issue its tasks.
inline Ns issues_at(const HostSteps& host, const Times& times, std::uint32_t step) {
  return times.steps[step].start + host.steps[step].overtaken;
}

// Finds streams by their processes and ids.
class StreamIndex {
 public:
  explicit StreamIndex(const std::vector<GraphStream>& streams) {
    for (std::uint32_t s = 0; s < streams.size(); ++s) {
      index_.try_emplace(key(streams[s].pid, streams[s].id), s);
    }
  }
  // no_index when there is none.
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

// Finds threads by their ids. Refers to them.
class ThreadIndex {
 public:
  explicit ThreadIndex(const HostSteps& host) : threads_(host.threads) {
    for (std::uint32_t t = 0; t < threads_.size(); ++t)
      index_.try_emplace(threads_[t].global_tid, t);
  }
  // Null when there are none of its calls.
  const ThreadSteps* of(std::int64_t global_tid) const {
    const auto found = index_.find(global_tid);
    return found == index_.end() ? nullptr : &threads_[found->second];
  }

 private:
  const std::vector<ThreadSteps>& threads_;
  std::unordered_map<std::int64_t, std::uint32_t> index_;
};

// The thread that a step belongs to.
inline const ThreadSteps& thread_of(const HostSteps& host, std::uint32_t step) {
  const auto after =
      std::partition_point(host.threads.begin(), host.threads.end(),
                           [step](const ThreadSteps& thread) { return thread.first <= step; });
  return *std::prev(after);
}

}  // namespace lapscope::analyzer

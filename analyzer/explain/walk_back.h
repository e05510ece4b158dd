#pragma once

#include <array>
#include <span>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/host_timeline.h"

namespace lapscope::analyzer {

// A graph and the data from which it was built.
struct Sources {
  const Trace& trace;
  const HostTimeline& host;
  const Graph& graph;
  // The times in the trace. Null if the graph has the same times.
  const Times* as_recorded = nullptr;
  // For each step, the time that is charged to the recorder. Empty if nothing is charged.
  std::span<const Charge> charges = {};

  // The interval in which a task or a step ran in the trace.
  Interval recorded_time_of(std::uint32_t task) const {
    return (as_recorded ? *as_recorded : graph.times).tasks[task];
  }
  Interval recorded_time_of_step(std::uint32_t step) const {
    return (as_recorded ? *as_recorded : graph.times).steps[step];
  }
  Charge charge_of(std::uint32_t step) const { return charges.empty() ? Charge() : charges[step]; }
};

// An interval of work, or of waiting that has one cause. Blame, gaps, delayed tasks and call sites
// are sums over such parts.
struct Part {
  Interval interval;
  bool is_work = false;
  Engine engine = Engine::compute;  // of work
  std::uint16_t device = 0;         // of work
  // For waiting: its cause. For work: why the next task or call on the path waited for this work;
  // Cause::unexplained for the last work of the path.
  Cause cause = Cause::unexplained;
  // Whether the task waited while the host worked outside CUDA before the call `step`.
  bool is_gap = false;
  std::uint32_t task = no_index;  // the task that ran or waited; no_index after the last task
  std::uint32_t step = no_index;  // if the task waited for the host, the host's call
};

// The time of each cause, summed over parts, in ns.
using TimeByCause = std::array<Ns, cause_count>;

// Returns the critical path: the work and the waits that led to the end of the task `last`, in the
// order of time. The parts fill the window without gaps. The path is found by a walk back in time,
// from each task to the work or wait that delayed this task.
//
//   thread 1  assss..b..      a, b: launches of A and B; s: wait for A; between s and b: host work
//   device    .AAA....BB
//   path      aAAAs..bBB
//
// CUPTI may report an overhead of a thread. If work waited for the thread during this overhead, the
// cause of the wait is launch-overhead (a command buffer was full), module-load or profiler.
//
// If nothing in the graph explains a wait, its cause is `unexplained`. An example is a wait before
// the graph's first step. The time from the end of `last` to the window's end is `not_issued`.
std::vector<Part> critical_path(const Sources& sources, std::uint32_t last, Interval window);
// Returns the critical path of the task that ends last among `tasks`.
std::vector<Part> critical_path(const Sources& sources, std::span<const std::uint32_t> tasks,
                                Interval window);

// Finds what a task waited for. Considers only the time in which one thing alone delayed the task
// (free()). Walks back like critical_path(), but stays with the thread that issued the task. So the
// cause of each wait is the cause whose fix removes the wait:
// - Time in a call has the cause of the call, even if the call waited for a task.
// - Time in which the thread waited for a lock (After::lock) has the cause lock.
// - Any other time in which the thread waited for another thread has the causes of that thread.
//
//   thread 1     assss..b..
//   device       .AAA....BB
//   waits of B       s..b      after the end of A, only the host delays B
//
// The parts lie within the window, latest part first. The walk of a task goes back through at most
// limits::steps_back calls of the host. This limit is lower if there are many tasks, so that all
// walks together go through about limits::steps_back_in_all calls. It is never below
// limits::least_steps_back. The time before these calls has no part.
class TaskWaits {
 public:
  // `tasks` must have all tasks for which add_parts() will be called.
  TaskWaits(const Sources& sources, std::span<const std::uint32_t> tasks, Interval window);

  // Returns the part of the window in which only one thing delayed the task. May be empty.
  Interval free(std::uint32_t task) const;
  // Appends what the task waited for in the interval free(task).
  void add_parts(std::uint32_t task, std::vector<Part>& parts) const;

 private:
  bool waits_for_host(std::uint32_t task) const;
  std::size_t calls_in(std::uint32_t task) const;

  const Sources sources_;
  const Interval window_;
  std::uint32_t steps_back_ = 0;
};

}  // namespace lapscope::analyzer

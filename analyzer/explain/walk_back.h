#pragma once

#include <array>
#include <span>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/host_timeline.h"

namespace lapscope::analyzer {

// A graph with what it was made of. These are references: who keeps Sources keeps a copy of it.
struct Sources {
  const Trace& trace;
  const HostTimeline& host;
  const Graph& graph;
  // Where the graph's times are not those of the trace: those that are. Null otherwise.
  const Times* as_recorded = nullptr;
  // The charge of each step; empty where nothing is charged to the recorder.
  std::span<const Charge> charges = {};

  // When a task and a step ran in the trace, which finds them there.
  Interval recorded_time_of(std::uint32_t task) const {
    return (as_recorded ? *as_recorded : graph.times).tasks[task];
  }
  Interval recorded_time_of_step(std::uint32_t step) const {
    return (as_recorded ? *as_recorded : graph.times).steps[step];
  }
  Charge charge_of(std::uint32_t step) const { return charges.empty() ? Charge() : charges[step]; }
};

// An interval and what its time went into. Blame, gaps, delayed tasks and call sites are sums over
// such parts.
struct Part {
  Interval interval;
  bool is_work = false;
  Engine engine = Engine::compute;  // of work
  std::uint16_t device = 0;         // of work
  // For waiting, the cause that was waited for. For work, the cause by which the walk waited for
  // it; the last part has none.
  Cause cause = Cause::unexplained;
  bool is_gap = false;            // of the host: outside CUDA, before `step`
  std::uint32_t task = no_index;  // that worked, or waited; no_index after the last end
  std::uint32_t step = no_index;  // of waiting for the host: the call
};

// In ns, summed over parts.
using TimeByCause = std::array<Ns, cause_count>;

// What kept a task from ending earlier, walking back from the window's end along what delayed each
// task. Parts follow each other, the first part first, and fill the window.
//
//   thread 1  assss..b.         a .. ssss          b is delayed by its launch, by what the thread
//   device    .AAA....BB              AAA          did before, by the wait for A, and by A
//
// This one walk explains all waiting: a critical path is the walk from the last task, a gap in the
// work of a device the walk from the task which ends it. CUPTI's overheads lie over what their
// thread did: as profiler, as module-load, or as launch-overhead where a command buffer was full.
//
// What only the host could show before the graph's first step is not explained. `last` may end
// before the window does: nothing was issued then.
std::vector<Part> critical_path(const Sources& sources, std::uint32_t last, Interval window);
// The path of the task among `tasks` that ends last.
std::vector<Part> critical_path(const Sources& sources, std::span<const std::uint32_t> tasks,
                                Interval window);

// What a task waited for while nothing but one thing delayed it. This is the same walk, but it goes
// no further back than that: a call is what it stands for, whatever work it waited for, and the
// turn of another thread ends where this one began to wait for it. So all of the time belongs to
// what would mend it.
//
//   thread 1  assss..b.         ssss .. b
//   device    .AAA....BB
//
// Parts lie within the window, the last part first. They belong to the host's last
// `limits::steps_back` calls, or to fewer where all tasks together would have more than
// `limits::steps_back_in_all`: what was before is attributed to nothing.
class TaskWaits {
 public:
  // `tasks`: all that will be asked for.
  TaskWaits(const Sources& sources, std::span<const std::uint32_t> tasks, Interval window);

  // When nothing else delayed the task, in the window; may be empty.
  Interval free(std::uint32_t task) const;
  // Adds the parts of that.
  void add_parts(std::uint32_t task, std::vector<Part>& parts) const;

 private:
  bool waits_for_host(std::uint32_t task) const;
  std::size_t calls_in(std::uint32_t task) const;

  const Sources sources_;
  const Interval window_;
  std::uint32_t steps_back_ = 0;
};

}  // namespace lapscope::analyzer

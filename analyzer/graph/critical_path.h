#pragma once

#include <span>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/model/host_timeline.h"

namespace lapscope::analyzer {

// A graph with what it was made of. These are references: who keeps Sources keeps a copy of it.
struct Sources {
  const Trace& trace;
  const HostTimeline& host;
  const Graph& graph;
  // Where the graph's times are not those of the trace: the same graph with them. Null otherwise.
  const Graph* as_recorded = nullptr;
  // Of each step; empty where nothing is charged to the recorder.
  std::span<const Charge> charges = {};

  const Graph& recorded() const { return as_recorded ? *as_recorded : graph; }
  Charge charge_of(std::uint32_t step) const { return charges.empty() ? Charge() : charges[step]; }
};

// A stretch of what the time until the end of a task was spent on.
struct PathPart {
  Interval interval;
  bool is_work = false;
  Engine engine = Engine::compute;  // of work
  std::uint16_t device = 0;         // of work
  // Of waiting, what for. Of work, by which cause the path waited for it; the last has none.
  Cause cause = Cause::unexplained;
  std::uint32_t task = no_index;  // that worked, or waited; no_index after the last end
  std::uint32_t step = no_index;  // of waiting for the host: the call, or the one before the time
};

// What kept a task from ending earlier, walking back from the window's end along what held each
// task up. Parts follow each other, the first part first, and fill the window.
//
//   thread 1  assss..b.         a .. ssss          b is held up by its launch, by what the thread
//   device    .AAA....BB              AAA          did before, by the wait for A, and by A
//
// This one walk explains all waiting: a critical path is that of the last task, a gap in the work
// of a device that of the task which ends it. CUPTI's overheads lie over what their thread did: as
// profiler, as module-load, or as launch-overhead where a command buffer was full.
//
// What only the host could tell of before the graph's first step is not explained. `last` may end
// before the window does: nothing was issued then.
std::vector<PathPart> critical_path(const Sources& sources, std::uint32_t last, Interval window);

}  // namespace lapscope::analyzer

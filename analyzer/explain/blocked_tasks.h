#pragma once

#include <span>
#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/fixes/recurring.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// A task that a cause delayed for `ns` ns. Time in which another cause also delayed the task does
// not count.
struct BlockedTask {
  std::uint32_t task = 0;
  Ns ns = 0;
  Ns since = 0;             // from this time in the window on, only one thing delayed the task
  std::uint32_t first = 0;  // [first, last) in BlockedTasks::parts
  std::uint32_t last = 0;
};

struct BlockedTasks {
  std::vector<BlockedTask> tasks;  // in the order of the argument of blocked_by()
  std::vector<Part> parts;         // when each task was delayed, within the window

  std::span<const Part> parts_of(const BlockedTask& one) const {
    return std::span(parts).subspan(one.first, one.last - one.first);
  }
  // Returns the time in which at least one task was delayed, in ns: at most the window's length.
  Ns time() const;
};

// Computes how long each cause delayed tasks, from the parts of TaskWaits. Each part counts for the
// cause whose fix removes the delay:
// - The time of calls without a cause (host-call) counts as work of the host.
// - Some fixes only move repeated host work out of a loop. For their causes, only repeated host
//   work counts (see Recurring).
//
// Pageable copies take longer than necessary, and so do the copies of a CopyRun (a sequence of
// small copies). The duration of such a copy also counts as a delay.
class BlockingTimes {
 public:
  BlockingTimes(const Sources& sources, const Recurring& recurring);

  // Returns the tasks among `tasks` that a cause delayed within a window.
  BlockedTasks blocked_by(Cause cause, std::span<const std::uint32_t> tasks, Interval window) const;
  // Returns the same as blocked_by() if the cause delayed one of `tasks`. Otherwise, returns all
  // ops that the cause delayed within the window, because `tasks` may have waited for these ops.
  BlockedTasks blocked_here_or_elsewhere(Cause cause, std::span<const std::uint32_t> tasks,
                                         Interval window) const;
  // Returns, for each cause, the time by which it delayed the tasks, summed over the tasks.
  TimeByCause time_by_cause(std::span<const std::uint32_t> tasks, Interval window) const;
  // Considers all tasks and the whole time of the graph.
  TimeByCause time_by_cause() const;

 private:
  void add_parts(std::uint32_t task, const TaskWaits& waits, Interval window,
                 std::vector<Part>& parts) const;

  const Sources sources_;
  const Recurring& recurring_;
  std::vector<std::uint32_t> ops_;  // all tasks but host functions, which no scope has
  std::vector<bool> is_small_;  // by task: is in a run of small copies; empty if there is no run
};

}  // namespace lapscope::analyzer

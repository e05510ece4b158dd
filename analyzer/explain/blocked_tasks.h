#pragma once

#include <span>
#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/fixes/recurring.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// A task that a cause delayed, and by how much that cause alone delayed it.
struct BlockedTask {
  std::uint32_t task = 0;
  Ns ns = 0;
  Ns since = 0;             // when it could have started but for what held it, in the window
  std::uint32_t first = 0;  // in BlockedTasks::parts
  std::uint32_t last = 0;
};

struct BlockedTasks {
  std::vector<BlockedTask> tasks;  // in their order
  std::vector<Part> parts;         // when each was delayed, within the window

  std::span<const Part> parts_of(const BlockedTask& one) const {
    return std::span(parts).subspan(one.first, one.last - one.first);
  }
  // For how long at least one of the tasks was delayed, in ns: at most the window.
  Ns time() const;
};

// What delayed tasks: sums over the parts of what each waited for (TaskWaits), by what would mend
// it. Calls of no other cause count as the host's own work. Besides, copies of pageable memory and
// small ones in a row are delayed by their own length. What the host does once delays nothing in a
// way that its fix would mend: see Recurring.
class BlockingTimes {
 public:
  BlockingTimes(const Sources& sources, const Recurring& recurring);

  // The tasks among `tasks` that a cause delayed within a window.
  BlockedTasks blocked_by(Cause cause, std::span<const std::uint32_t> tasks, Interval window) const;
  // By how much each cause delayed the tasks, all together: 0 where it delayed none.
  TimeByCause time_by_cause(std::span<const std::uint32_t> tasks, Interval window) const;

 private:
  void add_parts(std::uint32_t task, const TaskWaits& waits, Interval window,
                 std::vector<Part>& parts) const;

  const Sources sources_;
  const Recurring& recurring_;
  std::vector<bool> is_small_;  // by task: a copy of a run of small ones; shorter where none is
};

}  // namespace lapscope::analyzer

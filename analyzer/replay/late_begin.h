#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// What held up the ops that a device begins with, of those that a graph issues, for a reason that
// no record shows: it had ended when there was anything to see, and a replay keeps it. A driver may
// hold back what was launched until it has loaded code, for one.
//
//   thread    ab...........    A and B could have run from 2 on. The device begins at 6: in a
//   stream 1  ......AAABBB.    replay, too
//
// Refers to the graph.
class LateBegin {
 public:
  explicit LateBegin(const Graph& graph);

  // Of a task, in ns besides Binding::lag.
  std::int64_t of(std::uint32_t task) const;
  // No op of the task's device begins before, whatever a fix lets go: `never` where nothing held
  // it.
  std::int64_t held_until(std::uint32_t task) const;

 private:
  const Graph& graph_;
  std::vector<std::int64_t> first_;  // by device: the start of the first op that the graph issues
  std::vector<std::int64_t> held_;   // by device: the same where that op has such a delay, or never
};

}  // namespace lapscope::analyzer

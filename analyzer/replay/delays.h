#pragma once

#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/simulate.h"

namespace lapscope::analyzer {

// What delayed the ops that a device begins with, among those that a graph issues, for a reason
// that no record shows: it had ended when there was anything to see, and a replay keeps it. For
// example, a driver may hold back what was launched until it has loaded code.
//
//   thread    ab...........    A and B could have run from 2 on. The device begins at 6: in a
//   stream 1  ......AAABBB.    replay, too
//
// Refers to the graph.
class LateBegin {
 public:
  explicit LateBegin(const Graph& graph);

  // The delay of a task, in ns besides Binding::lag.
  Ns of(std::uint32_t task) const;
  // No op of the task's device begins before, whatever a fix lets go: `never` where nothing held
  // it.
  Ns held_until(std::uint32_t task) const;

 private:
  const Graph& graph_;
  std::vector<Ns> first_;  // by device: the start of the first op that the graph issues
  std::vector<Ns> held_;   // by device: the same where that op has such a delay, or never
};

// The latencies of a graph: what a task was seen to take where the same delays it, and otherwise
// the usual. Calls begin as long behind others as they did.
//
// What is longer than a latency and has no explanation comes on top, whatever lets the task go: no
// record shows that it ends with something else. So no fix saves it.
//
//   thread    a..b......          a b             b is issued sooner by a fix, and waits for no
//   stream 1  .A.....B..          .A....B         less than it did
//
// Refers to the graph.
class GraphDelays : public Delays {
 public:
  explicit GraphDelays(const Graph& graph)
      : graph_(graph),
        tasks_(graph.tasks.values()),
        steps_(graph.steps.values()),
        times_(graph.times.tasks.values()),
        bindings_(graph.bindings.values()),
        late_begin_(graph) {}

  Ns of(std::uint32_t from, const Link& link) override;
  Ns of_room(std::uint32_t task) override;

  const LateBegin& late_begin() const { return late_begin_; }
  // The names of assumptions for those that were asked for and that the trace has no examples of.
  std::set<std::string_view> stand_ins() const;
  // What nothing explains of the delays of all tasks but prompt ones, all added up.
  Ns unexplained_ns() const;

 private:
  // What no cause explains of the time before a task.
  Ns unexplained(std::uint32_t task) const;
  Ns usual(Cause cause, Engine engine);
  Ns latency(std::uint32_t task, Ns recorded_release, Cause cause, std::uint32_t from);

  const Graph& graph_;
  const std::vector<Task>& tasks_;
  const std::vector<Step>& steps_;
  const std::vector<Interval>& times_;  // of tasks
  const std::vector<Binding>& bindings_;
  const LateBegin late_begin_;
  std::array<std::array<bool, all_engines.size()>, cause_count> was_assumed_{};
};

}  // namespace lapscope::analyzer

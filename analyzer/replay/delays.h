#pragma once

#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/simulate.h"

namespace lapscope::analyzer {

// The delay of a device's first ops for a reason that no record shows. For example, a driver may
// hold back launches until it has loaded code. The delay ends when the device begins its first op.
// A replay keeps the delay. Only ops that the calls of the graph issued have such a delay.
//
//   thread    ab...........    A and B could have run from 2 on, but the device begins at 6.
//   stream 1  ......AAABBB.    In a replay, the device also begins at 6.
//
// Holds a reference to the graph, which must outlive this object.
class LateBegin {
 public:
  explicit LateBegin(const Graph& graph);

  // Returns the delay of a task in ns, in addition to Binding::lag.
  Ns of(std::uint32_t task) const;
  // Returns the time before which no op of the task's device begins, whatever a fix changes.
  // Returns `never` if nothing delayed the device.
  Ns held_until(std::uint32_t task) const;

 private:
  const Graph& graph_;
  std::vector<Ns> first_;  // by device: the start of the first op that the graph issues
  std::vector<Ns> held_;   // by device: first_ if that op has such a delay, or never
};

// The latencies in a replay. If the same task or call delays a task as in the recording, the task
// keeps its recorded latency. Any other task gets the usual latency. The time between calls stays
// as recorded.
//
// In both cases, a delay that is longer than a latency and has no explanation is added. No record
// shows that a fix would end such a delay, so no fix saves it.
//
//   thread    a..b......          a b             a fix issues b sooner, and B is delayed
//   stream 1  .A.....B..          .A....B         by as much as before
//
// Holds a reference to the graph, which must outlive this object.
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
  // If the trace has no example of a latency, an assumption takes its place. Returns the names of
  // the assumptions that were used in this way.
  std::set<std::string_view> stand_ins() const;
  // Returns the sum of all unexplained delays in ns. Excludes those of prompt tasks
  // (Parameters::prompt_tasks) and those in late_begin().
  Ns unexplained_ns() const;

 private:
  // Returns the part of a task's delay that no cause explains, in ns.
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

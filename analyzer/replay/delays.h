#pragma once

#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/simulate.h"

namespace lapscope::analyzer {

// A delay of a device's first ops for which the trace shows no reason. The delay ends when the
// device begins its first op. For example, a driver may hold back launches until it has loaded
// code. A replay keeps this delay. Ops that were issued before the start of the graph do not have
// this delay.
//
//   thread    ab...........    A and B could have run from 2 on, but the device begins at 6.
//   stream 1  ......AAABBB.    In a replay, the device also begins at 6.
//
// The graph must outlive this object.
class LateBegin {
 public:
  explicit LateBegin(const Graph& graph);

  // Returns how long this delay holds a task back, in ns. Binding::lag does not include this time.
  Ns of(std::uint32_t task) const;
  // Returns the end of this delay on the task's device. No replay begins an op of the device
  // earlier. Returns `never` if the device has no such delay.
  Ns held_until(std::uint32_t task) const;

 private:
  const Graph& graph_;
  std::vector<Ns> first_;  // by device: the start of the first op that the graph issues
  std::vector<Ns> held_;   // by device: first_ if this first op has such a delay, else `never`
};

// The latencies in a replay. A task keeps its recorded latency if the same task or call delays it
// as in the recording. Otherwise, it gets the usual latency. The time between calls is as recorded.
//
// A recorded delay may exceed assumed::longest_latency, although the trace shows no reason for the
// excess. In a replay, the task keeps this unexplained part. No fix removes it.
//
//             recorded        with a fix that issues call b sooner
//   thread    a..b......      a b
//   stream 1  .A.....B..      .A....B      the delay from call b to op B is as long as before
//
// The graph must outlive this object.
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
  // Returns the sum of the unexplained delays in ns, without those of prompt tasks
  // (Parameters::prompt_tasks) and those in late_begin().
  Ns unexplained_ns() const;

 private:
  // Returns the part of a task's delay that no cause explains, in ns.
  Ns unexplained(std::uint32_t task) const;
  Ns latency(std::uint32_t task, Ns recorded_release, Cause cause, std::uint32_t from);

  const Graph& graph_;
  const std::vector<Task>& tasks_;
  const std::vector<Step>& steps_;
  const std::vector<Interval>& times_;  // of tasks
  const std::vector<Binding>& bindings_;
  const LateBegin late_begin_;
};

}  // namespace lapscope::analyzer

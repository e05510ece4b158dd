#include "analyzer/machine/observe.h"

#include <utility>

#include "analyzer/machine/machine.h"
#include "analyzer/machine/simulate.h"

namespace lapscope::analyzer {

Observation observe(const MachineParameters& parameters, const Workload& work,
                    const Recorded& recorded) {
  Observation seen;
  seen.blockers.resize(work.tasks.size());
  seen.lengths = work.lengths;
  seen.kept_out = parameters.kept_out;
  const Machine machine(parameters, work, recorded, seen);
  Dependences starts;
  starts.tasks = static_cast<std::uint32_t>(work.tasks.size());
  starts.begin.resize(starts.tasks + 1);
  starts.inputs.resize(starts.tasks, 1);  // what is no op never starts
  starts.needs.resize(starts.tasks);
  for (const Interval& time : recorded.times) starts.earliest.push_back(time.start);
  for (const std::uint32_t op : recorded.ops) {
    starts.inputs[op] = 0;
    starts.needs[op] = machine.of_op(work.tasks[op]);
  }
  Delays none;
  simulate(std::move(starts), none, machine.resources());
  return seen;
}

}  // namespace lapscope::analyzer

#pragma once

#include <string>

#include "analyzer/machine/machine.h"
#include "analyzer/machine/simulate.h"
#include "tests/analyzer/support/graph_tables.h"

// Drawn ops on a machine, without a program around them.
namespace lapscope::test {

// None of anything.
class NoDelays : public analyzer::LinkDelays {
 public:
  std::int64_t of(std::uint32_t, const analyzer::Link&) override { return 0; }
  std::int64_t of_room(std::uint32_t) override { return 0; }
};

// A machine with copy engines that go half as fast both ways, on which kernels demand this much of
// the throughput.
inline analyzer::Parameters machine_of(const analyzer::Graph& graph, double demand = 0) {
  analyzer::Parameters machine = graph;
  for (analyzer::Demand& one : machine.demands) one = {demand, demand};
  for (analyzer::EngineTraits& traits : machine.traits) {
    traits.exclusive = {false, true, true, true};
    traits.both_directions = 0.5;
  }
  return machine;
}

// When ops run that are drawn from when they are ready for as long as they take alone: "A 3 to 7".
inline Lines run_on(const analyzer::Parameters& machine, const Program& drawn) {
  const analyzer::Graph graph = graph_of(drawn.trace);
  std::vector<analyzer::Load> loads;
  analyzer::Program program;
  for (const analyzer::Task& task : graph.tasks) {
    analyzer::Load load = task;
    load.work = task.end - task.start;
    load.work_rest = 0;
    load.lets_in = 0;
    loads.push_back(load);
    program.earliest.push_back(task.start);
  }
  NoDelays delays;
  const analyzer::Machine resources(machine, loads, std::vector<analyzer::CallLoad>(), delays);
  program.tasks = static_cast<std::uint32_t>(loads.size());
  program.begin.resize(loads.size() + 1);
  program.inputs.resize(loads.size());
  for (const analyzer::Load& load : loads) program.needs.push_back(resources.of_op(load));
  const analyzer::Run run = simulate(program, delays, resources.resources());
  Lines lines;
  for (std::uint32_t t = 0; t < program.tasks; ++t) {
    lines.push_back(name_of(drawn, graph, t) + ' ' + length_of(drawn, run.start[t]) + " to " +
                    length_of(drawn, run.end[t]));
  }
  return lines;
}

inline Lines run_on_machine(const Program& drawn, double demand = 0) {
  return run_on(machine_of(graph_of(drawn.trace), demand), drawn);
}

}  // namespace lapscope::test

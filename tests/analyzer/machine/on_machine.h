#pragma once

#include <string>

#include "analyzer/machine/machine.h"
#include "analyzer/machine/simulate.h"
#include "tests/analyzer/support/graph_tables.h"

// Runs drawn ops on a machine, without a program around them.
namespace lapscope::test {

// Makes a machine on which two copies in opposite directions run at half speed. `demand` is the
// share of the throughput that kernels demand.
inline analyzer::MachineParameters machine_of(const analyzer::Graph& graph, double demand = 0) {
  analyzer::MachineParameters machine = graph;
  machine.kept_out.clear();
  for (analyzer::Demand& one : machine.demands) one = {demand, demand};
  for (analyzer::EngineTraits& traits : machine.traits) {
    traits.exclusive = {false, true, true, true};
    traits.both_directions = 0.5;
  }
  return machine;
}

// Runs drawn ops and returns their times, such as "A 3 to 7". The drawing has the time at which an
// op is ready, and how long it takes alone.
inline Lines run_on(const analyzer::MachineParameters& machine, const Program& drawn) {
  const analyzer::Graph graph = graph_of(drawn.trace);
  std::vector<analyzer::Lengths> lengths = graph.lengths.values();
  analyzer::Dependences dependences;
  for (std::size_t t = 0; t < lengths.size(); ++t) {
    lengths[t].work = graph.times.tasks[t].length();
    lengths[t].work_rest = 0;
    lengths[t].last_wave_overlap = 0;
    dependences.earliest.push_back(graph.times.tasks[t].start);
  }
  analyzer::Delays delays;
  const std::vector<analyzer::CallLoad> no_calls;
  const analyzer::Workload work{graph.tasks.values(), lengths,     no_calls,
                                graph.streams,        graph.ranks, graph.collectives};
  const analyzer::Machine resources(machine, work, delays);
  dependences.tasks = static_cast<std::uint32_t>(lengths.size());
  dependences.begin.resize(lengths.size() + 1);
  dependences.inputs.resize(lengths.size());
  for (const analyzer::Task& task : graph.tasks) dependences.needs.push_back(resources.of_op(task));
  const auto run = simulate(dependences, delays, resources.resources());
  Lines lines;
  for (std::uint32_t t = 0; t < dependences.tasks; ++t) {
    lines.push_back(name_of(drawn, graph, t) + ' ' + length_of(drawn, run[t].start) + " to " +
                    length_of(drawn, run[t].end));
  }
  return lines;
}

inline Lines run_on_machine(const Program& drawn, double demand = 0) {
  return run_on(machine_of(graph_of(drawn.trace), demand), drawn);
}

}  // namespace lapscope::test

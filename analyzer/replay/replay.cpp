#include "analyzer/replay/replay.h"

#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/machine/machine.h"
#include "analyzer/machine/multiprocessors.h"
#include "analyzer/replay/delays.h"
#include "analyzer/replay/dependences.h"

namespace lapscope::analyzer {
namespace {

// Gives recorded times to the tasks or steps that did not run in the replay. Returns their number.
Ns fill_in(const Column<Interval>& recorded, std::vector<Interval>& run) {
  std::int64_t stuck = 0;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (run[i].end != never) continue;
    ++stuck;
    run[i] = recorded[i];
  }
  return stuck;
}

}  // namespace

Replayed replay_tasks(const Graph& graph) {
  Replayed replayed = replay(graph);
  replayed.steps = {};
  return replayed;
}

Replayed replay(const Graph& graph) {
  GraphDelays delays(graph);
  const Machine machine(graph, workload_of(graph, graph), delays);
  const std::vector<Interval> run =
      simulate(dependences_of(graph, machine, delays.late_begin()), delays, machine.resources());
  const auto first_step = run.begin() + static_cast<std::ptrdiff_t>(graph.tasks.size());
  std::vector<Interval> tasks(run.begin(), first_step);
  std::vector<Interval> steps(first_step, run.end());
  Replayed result;
  result.stuck = fill_in(graph.times.tasks, tasks);
  fill_in(graph.times.steps, steps);
  result.tasks = std::move(tasks);
  result.steps = std::move(steps);
  result.stand_ins = graph.stand_ins;
  result.is_in_doubt = graph.is_in_doubt;
  for (const Multiprocessors* one : machine.multiprocessors()) {
    result.is_in_doubt |= one->in_doubt_ns() > 0;
    result.in_doubt_ns += one->in_doubt_ns();
    result.last_waves_ns += one->last_waves_ns();
  }
  return result;
}

Graph rebased(Graph graph, const Times& times) {
  graph.times = times;
  std::vector<Lengths>& lengths = graph.lengths.edit();
  for (std::size_t t = 0; t < lengths.size(); ++t)
    lengths[t].all_resident = times.tasks[t].length();
  find_bindings(graph, graph.times, graph);
  find_lets_in_work(graph, graph.times, graph);
  return graph;
}

}  // namespace lapscope::analyzer

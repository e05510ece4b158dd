#include "analyzer/replay/replay.h"

#include <utility>

#include "analyzer/machine/machine.h"
#include "analyzer/machine/multiprocessors.h"
#include "analyzer/replay/delays.h"
#include "analyzer/replay/program.h"

namespace lapscope::analyzer {
namespace {

// Tasks and steps that have not run stay where they were. How many these are.
template <class Recorded>
std::int64_t fill_in(const Column<Recorded>& recorded, std::vector<std::int64_t>& start,
                     std::vector<std::int64_t>& end) {
  std::int64_t stuck = 0;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (end[i] != never) continue;
    ++stuck;
    start[i] = recorded[i].start;
    end[i] = recorded[i].end;
  }
  return stuck;
}

// Takes the times of what is behind the first `count` out of these.
std::vector<std::int64_t> split_off(std::size_t count, std::vector<std::int64_t>& times) {
  std::vector<std::int64_t> rest(times.begin() + static_cast<std::ptrdiff_t>(count), times.end());
  times.resize(count);
  return rest;
}

}  // namespace

Replayed replay(const Graph& graph) {
  GraphDelays delays(graph);
  const Machine machine(graph, graph.tasks.values(), graph.steps.values(), delays);
  Run run = simulate(program_of(graph, machine, delays.late_begin()), delays, machine.resources());
  Replayed result;
  result.step_start = split_off(graph.tasks.size(), run.start);
  result.step_end = split_off(graph.tasks.size(), run.end);
  result.start = std::move(run.start);
  result.end = std::move(run.end);
  result.stuck = fill_in(graph.tasks, result.start, result.end);
  fill_in(graph.steps, result.step_start, result.step_end);
  result.stand_ins = graph.stand_ins;
  result.stand_ins.merge(delays.stand_ins());
  result.is_in_doubt = graph.is_in_doubt;
  for (const Multiprocessors* one : machine.multiprocessors()) {
    result.is_in_doubt |= one->in_doubt_ns() > 0;
    result.in_doubt_ns += one->in_doubt_ns();
    result.last_waves_ns += one->last_waves_ns();
  }
  return result;
}

Replayed replay_tasks(const Graph& graph) {
  Replayed replayed = replay(graph);
  replayed.step_start = {};
  replayed.step_end = {};
  return replayed;
}

}  // namespace lapscope::analyzer

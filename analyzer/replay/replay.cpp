#include "analyzer/replay/replay.h"

#include <numeric>
#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/machine/machine.h"
#include "analyzer/machine/multiprocessors.h"
#include "analyzer/machine/simulate.h"
#include "analyzer/replay/delays.h"

namespace lapscope::analyzer {
namespace {

// Calls see(from, link) for each link of the graph.
template <class See>
void for_each_link(const Graph& graph, const See& see) {
  const std::vector<Task>& all = graph.tasks.values();
  const std::vector<Step>& steps = graph.steps.values();
  const std::vector<Edge>& edges = graph.edges.values();
  const std::vector<std::uint32_t>& edge_begin = graph.edge_begin.values();
  const auto tasks = static_cast<std::uint32_t>(all.size());
  for (std::uint32_t t = 0; t < tasks; ++t) {
    for (std::uint32_t e = edge_begin[t]; e < edge_begin[t + 1]; ++e) {
      see(edges[e].from, Link{t, edges[e].cause, edges[e].from_start});
    }
    if (all[t].step != no_index) see(tasks + all[t].step, Link{t, Cause::launch_overhead, true});
  }
  for (std::uint32_t s = 0; s < steps.size(); ++s) {
    const Step& step = steps[s];
    for (std::uint32_t w = 0; w < step.wait_count; ++w) {
      see(graph.waits[step.first_wait + w], Link{tasks + s, Cause::unexplained, false, true});
    }
    const Link turn{tasks + s, Cause::unexplained, false, false, true};
    if (step.after != no_index) see(tasks + step.after, turn);
  }
  for (const ThreadSteps& thread : graph.threads) {
    for (std::uint32_t s = thread.first + 1; s < thread.last; ++s) {
      see(tasks + s - 1, Link{tasks + s});
    }
  }
}

void find_links(const Graph& graph, Dependences& found) {
  std::vector<std::uint32_t>& begin = found.begin;
  begin.resize(graph.tasks.size() + graph.steps.size() + 1);
  found.inputs.resize(begin.size() - 1);
  for_each_link(graph, [&](std::uint32_t from, const Link& link) {
    ++begin[from];
    if (!link.ends_wait) ++found.inputs[link.to];
  });
  // partial_sum() sets begin[i] to the end of the links of i. The second pass stores the links of i
  // from the last place to the first, which moves begin[i] to the start of these links.
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  found.links.resize(begin.back());
  for_each_link(graph,
                [&](std::uint32_t from, const Link& link) { found.links[--begin[from]] = link; });
}

// Returns what each task and each step (call) waits for, and which resource it needs.
Dependences dependences_of(const Graph& graph, const Machine& machine,
                           const LateBegin& late_begin) {
  Dependences found;
  found.tasks = static_cast<std::uint32_t>(graph.tasks.size());
  find_links(graph, found);
  found.needs.reserve(found.inputs.size());
  found.earliest.reserve(found.inputs.size());
  for (std::uint32_t t = 0; t < found.tasks; ++t) {
    const Task& task = graph.tasks[t];
    const bool is_op = task.op != no_index;
    found.needs.push_back(is_op ? machine.of_op(task) : machine.of_host_function());
    const bool is_issued = task.step != no_index;
    found.earliest.push_back(is_issued ? late_begin.held_until(t) : graph.times.tasks[t].start);
  }
  found.needs.resize(found.inputs.size(), machine.of_call());
  found.earliest.resize(found.inputs.size(), never);
  for (const ThreadSteps& thread : graph.threads) {
    if (thread.first == thread.last || graph.steps[thread.first].after != no_index) continue;
    found.earliest[found.tasks + thread.first] = graph.begin + graph.steps[thread.first].gap;
  }
  return found;
}

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

#include "analyzer/replay/program.h"

#include <numeric>

namespace lapscope::analyzer {
namespace {

// Calls see(from, link) for each link.
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
    if (step.after_task != no_index) see(step.after_task, turn);
    if (step.after != no_index) see(tasks + step.after, turn);
  }
  for (const ThreadSteps& thread : graph.threads) {
    for (std::uint32_t s = thread.first + 1; s < thread.last; ++s) {
      see(tasks + s - 1, Link{tasks + s});
    }
  }
}

void find_links(const Graph& graph, Program& program) {
  std::vector<std::uint32_t>& begin = program.begin;
  begin.resize(graph.tasks.size() + graph.steps.size() + 1);
  program.inputs.resize(begin.size() - 1);
  for_each_link(graph, [&](std::uint32_t from, const Link& link) {
    ++begin[from];
    if (!link.ends_wait) ++program.inputs[link.to];
  });
  // First where those of each end, then, as they are filled in, where they begin.
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  program.links.resize(begin.back());
  for_each_link(graph,
                [&](std::uint32_t from, const Link& link) { program.links[--begin[from]] = link; });
}

}  // namespace

Program program_of(const Graph& graph, const Machine& machine, const LateBegin& late_begin) {
  Program program;
  program.tasks = static_cast<std::uint32_t>(graph.tasks.size());
  find_links(graph, program);
  program.needs.reserve(program.inputs.size());
  program.earliest.reserve(program.inputs.size());
  for (std::uint32_t t = 0; t < program.tasks; ++t) {
    const Task& task = graph.tasks[t];
    const bool is_op = task.op != no_index;
    program.needs.push_back(is_op ? machine.of_op(task) : machine.of_host_function());
    program.earliest.push_back(task.step == no_index ? task.start : late_begin.held_until(t));
  }
  program.needs.resize(program.inputs.size(), machine.of_call());
  program.earliest.resize(program.inputs.size(), never);
  for (const ThreadSteps& thread : graph.threads) {
    if (thread.first == thread.last || graph.steps[thread.first].after != no_index) continue;
    program.earliest[program.tasks + thread.first] = graph.begin + graph.steps[thread.first].gap;
  }
  return program;
}

}  // namespace lapscope::analyzer

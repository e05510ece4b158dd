#include "analyzer/replay/dependences.h"

#include <numeric>

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

}  // namespace

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

}  // namespace lapscope::analyzer

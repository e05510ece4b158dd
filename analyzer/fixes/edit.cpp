#include "analyzer/fixes/edit.h"

#include <algorithm>

#include "analyzer/fixes/recurring.h"

namespace lapscope::analyzer {

void remove_edges(Cause cause, Graph& graph) {
  for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
    if (graph.edges[e].cause == cause) graph.edges.edit()[e].removed = true;
  }
}

void add_edges(std::vector<NewEdge> added, Graph& graph) {
  if (added.empty()) return;
  std::stable_sort(added.begin(), added.end(),
                   [](const NewEdge& a, const NewEdge& b) { return a.to < b.to; });
  std::vector<Edge> edges;
  std::vector<std::uint32_t> begin(graph.tasks.size() + 1);
  edges.reserve(graph.edges.size() + added.size());
  auto next = added.begin();
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    begin[t] = static_cast<std::uint32_t>(edges.size());
    edges.insert(edges.end(), graph.edges.begin() + graph.edge_begin[t],
                 graph.edges.begin() + graph.edge_begin[t + 1]);
    for (; next != added.end() && next->to == t; ++next) edges.push_back(next->edge);
  }
  begin.back() = static_cast<std::uint32_t>(edges.size());
  graph.edges = std::move(edges);
  graph.edge_begin = std::move(begin);
}

void set_waits(const std::vector<std::uint32_t>& tasks, Step& step, Graph& graph) {
  std::vector<std::uint32_t>& waits = graph.waits.edit();
  step.first_wait = static_cast<std::uint32_t>(waits.size());
  step.wait_count = static_cast<std::uint32_t>(tasks.size());
  waits.insert(waits.end(), tasks.begin(), tasks.end());
}

void make_quick(Step& step, std::int64_t busy) {
  step.busy = std::min(step.busy, busy);
  step.wait_count = 0;
}

void shorten_way(std::uint32_t task, Graph& graph) {
  const Binding& binding = graph.bindings[task];
  if (binding.from != no_index || binding.lag <= graph.quick_call) return;
  graph.bindings.edit()[task].lag = graph.quick_call;
}

void make_quick(Cause cause, std::int64_t busy, Graph& graph) {
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    if (graph.steps[s].cause == cause) make_quick(graph.steps.edit()[s], busy);
  }
}

void hoist(Cause cause, bool all, const Trace& trace, Graph& graph) {
  const Recurring recurring(trace, graph);
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    if (graph.steps[s].cause != cause || !(all || recurring.call(s))) continue;
    make_quick(graph.steps.edit()[s], 0);
  }
}

void scale_engine(Engine engine, double factor, Graph& graph) {
  for (Task& task : graph.tasks.edit()) {
    if (task.op == no_index || task.engine != engine) continue;
    for (std::int64_t Task::*length : {&Task::work, &Task::lasted, &Task::lets_in}) {
      task.*length = static_cast<std::int64_t>(static_cast<double>(task.*length) / factor);
    }
    task.lets_in_work /= factor;
    if (task.rank == no_index) continue;
    std::int64_t& after_last = graph.ranks[task.rank].after_last;
    after_last = static_cast<std::int64_t>(static_cast<double>(after_last) / factor);
  }
}

}  // namespace lapscope::analyzer

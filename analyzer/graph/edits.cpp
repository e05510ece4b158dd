#include "analyzer/graph/edits.h"

#include <algorithm>

namespace lapscope::analyzer {

void Edits::remove_edges(Cause cause) {
  for (std::uint32_t e = 0; e < program_->edges.size(); ++e) {
    if (program_->edges[e].cause == cause) remove_edge(e);
  }
}

void Edits::set_waits(std::uint32_t s, const std::vector<std::uint32_t>& waited_for) {
  Step& step = steps.edit(s);
  step.first_wait = static_cast<std::uint32_t>(program_->waits.size() + more_waits.size());
  step.wait_count = static_cast<std::uint32_t>(waited_for.size());
  more_waits.insert(more_waits.end(), waited_for.begin(), waited_for.end());
}

void Edits::make_quick(std::uint32_t s, Ns overhead) {
  Step& step = steps.edit(s);
  step.call_overhead = std::min(step.call_overhead, overhead);
  step.wait_count = 0;
}

void Edits::make_quick(Cause cause, Ns overhead) {
  for (std::uint32_t s = 0; s < program_->steps.size(); ++s) {
    if (program_->steps[s].cause == cause) make_quick(s, overhead);
  }
}

void Edits::shorten_way(std::uint32_t task) {
  const Binding& binding = bindings[task];
  if (binding.from != no_index || binding.lag <= program_->quick_call) return;
  bindings.edit(task).lag = program_->quick_call;
}

namespace {

template <class T>
void change(const Changes<T>& changes, Column<T>& column) {
  std::vector<T>* values = nullptr;  // the column is copied only if there is a change
  changes.for_each([&](std::uint32_t index, const T& now) {
    if (!values) values = &column.edit();
    (*values)[index] = now;
  });
}

template <class T>
void change(const Changes<T>& changes, std::vector<T>& values) {
  changes.for_each([&](std::uint32_t index, const T& now) { values[index] = now; });
}

// Deletes the edges that are marked as removed. Puts added edges behind the task's other edges.
void change_edges(const Edits& edits, Graph& graph) {
  if (edits.edges.empty() && edits.added.empty()) return;
  std::vector<NewEdge> added = edits.added;
  std::ranges::stable_sort(added, {}, &NewEdge::to);
  const Graph& program = edits.program();
  std::vector<Edge> edges;
  std::vector<std::uint32_t> begin(program.tasks.size() + 1);
  edges.reserve(program.edges.size() + added.size());
  auto next = added.begin();
  for (std::uint32_t t = 0; t < program.tasks.size(); ++t) {
    begin[t] = static_cast<std::uint32_t>(edges.size());
    for (std::uint32_t e = program.edge_begin[t]; e < program.edge_begin[t + 1]; ++e) {
      if (!edits.edges[e].removed) edges.push_back(edits.edges[e]);
    }
    for (; next != added.end() && next->to == t; ++next) edges.push_back(next->edge);
  }
  begin.back() = static_cast<std::uint32_t>(edges.size());
  graph.edges = std::move(edges);
  graph.edge_begin = std::move(begin);
}

template <class T>
void append(const std::vector<T>& more, std::vector<T>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Graph edited(const Edits& edits) {
  Graph graph = edits.program();
  change(edits.tasks, graph.tasks);
  change(edits.lengths, graph.lengths);
  change(edits.bindings, graph.bindings);
  change(edits.steps, graph.steps);
  change(edits.streams, graph.streams);
  change(edits.ranks, graph.ranks);
  change_edges(edits, graph);
  if (!edits.more_waits.empty()) append(edits.more_waits, graph.waits.edit());
  append(edits.more_uses, graph.uses);
  append(edits.more_demands, graph.demands);
  graph.stand_ins.insert(edits.stand_ins.begin(), edits.stand_ins.end());
  graph.is_in_doubt |= edits.is_in_doubt;
  graph.quick_call = edits.quick_call.value_or(graph.quick_call);
  if (edits.latencies) graph.latencies = *edits.latencies;
  return graph;
}

Edits scale_engine(Engine engine, double factor, const Graph& program) {
  const auto scaled = [factor](Ns ns) {
    return static_cast<std::int64_t>(static_cast<double>(ns) / factor);
  };
  Edits edits(program);
  for (std::uint32_t t = 0; t < program.tasks.size(); ++t) {
    if (program.tasks[t].op == no_index || program.tasks[t].engine != engine) continue;
    Lengths& task = edits.lengths.edit(t);
    task.work = scaled(task.work);
    task.all_resident = scaled(task.all_resident);
    task.last_wave_overlap = scaled(task.last_wave_overlap);
    task.last_wave_work /= factor;
    if (program.tasks[t].rank == no_index) continue;
    Rank& rank = edits.ranks.edit(program.tasks[t].rank);
    rank.after_last = scaled(rank.after_last);
  }
  return edits;
}

}  // namespace lapscope::analyzer

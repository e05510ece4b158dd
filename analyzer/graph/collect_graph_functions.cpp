#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "analyzer/graph/building.h"
#include "analyzer/graph/launched_graphs.h"

namespace lapscope::analyzer {
namespace {

// The host functions of one graph launch, of which no record tells but that the graph has them.
// Each began when the last node that it waits for had ended, and had returned a little before the
// first node that waits for it started.
//
//   stream 1  AAA......BB    f is a node between A and B
//   f         ...ffff
class Functions {
 public:
  Functions(const Trace& trace, const Graph& graph, std::uint32_t step)
      : topology_(trace.topology), graph_(graph), step_(step) {}

  void add_op(std::uint64_t node, std::uint32_t task) { ops_[node] = task; }

  // Those that an op waits for, directly or by way of others.
  std::vector<Task> find() {
    for (const auto& [node, task] : ops_) {
      for (const std::uint64_t function : look_before(node)) {
        std::int64_t& next = next_.try_emplace(function, latest_time).first->second;
        next = std::min(next, graph_.tasks[task].start);
      }
    }
    std::vector<Task> tasks;
    for (const auto& [node, before] : before_) {
      if (ops_.contains(node)) continue;
      const Interval times = times_of(node);
      Task task;
      task.kind = TaskKind::host_function;
      task.step = step_;
      task.function_node = *place_of(node);
      task.stream = graph_.tasks[ops_.begin()->second].stream;
      task.start = times.start;
      task.end = times.end;
      tasks.push_back(task);
    }
    return tasks;
  }

 private:
  // In Topology::host_functions; empty for another node.
  std::optional<std::uint32_t> place_of(std::uint64_t node) const {
    const auto& all = topology_.host_functions;
    const auto found = std::lower_bound(all.begin(), all.end(), node);
    if (found == all.end() || *found != node || ops_.contains(node)) return std::nullopt;
    return static_cast<std::uint32_t>(found - all.begin());
  }

  // The functions right before a node, of which the same is then known; passes by nodes that are
  // neither they nor ops.
  const std::set<std::uint64_t>& look_before(std::uint64_t node) {
    const auto [known, is_new] = before_.try_emplace(node);
    if (!is_new) return known->second;
    std::set<std::uint64_t> functions;
    std::set<std::uint64_t> passed;
    const std::int64_t when = graph_.steps[step_].start;
    std::vector<std::uint64_t> open = dependencies(topology_, node, when);
    std::int64_t ended = never;
    while (!open.empty()) {
      const std::uint64_t on = open.back();
      open.pop_back();
      if (!passed.insert(on).second) continue;
      if (const auto op = ops_.find(on); op != ops_.end()) {
        ended = std::max(ended, graph_.tasks[op->second].end);
      } else if (place_of(on)) {
        functions.insert(on);
      } else {
        const auto further = dependencies(topology_, on, when);
        open.insert(open.end(), further.begin(), further.end());
      }
    }
    ended_[node] = ended;
    for (const std::uint64_t function : functions) look_before(function);
    return before_[node] = std::move(functions);
  }

  // Of several in a row nothing tells where one ends and the next begins: the last has all the
  // time.
  Interval times_of(std::uint64_t function) {
    const auto [known, is_new] = times_.try_emplace(function);
    if (!is_new) return known->second;
    std::int64_t start = ended_[function];
    for (const std::uint64_t before : before_[function]) {
      start = std::max(start, times_of(before).end);
    }
    const auto next = next_.find(function);
    const std::int64_t until = next == next_.end() ? never : next->second - hand_over;
    if (start == never) start = std::min(graph_.steps[step_].end, std::max(until, graph_.begin));
    return times_[function] = {start, std::max(start, until)};
  }

  const Topology& topology_;
  const Graph& graph_;
  std::uint32_t step_;
  std::map<std::uint64_t, std::uint32_t> ops_;               // task by node
  std::map<std::uint64_t, std::set<std::uint64_t>> before_;  // functions, by node
  std::unordered_map<std::uint64_t, std::int64_t> ended_;    // the ops before a node
  std::unordered_map<std::uint64_t, std::int64_t> next_;     // start of ops, by function
  std::unordered_map<std::uint64_t, Interval> times_;        // of functions
};

}  // namespace

void collect_graph_functions(const Trace& trace, Graph& graph) {
  if (trace.topology.host_functions.empty()) return;
  std::map<std::uint32_t, Functions> launches;  // by step
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.op == no_index || task.step == no_index) continue;
    if (!graph.steps[task.step].is_graph_launch) continue;
    const std::uint64_t node = node_of_op(trace.devices[task.device].ops, task.op);
    if (node == 0) continue;
    launches.try_emplace(task.step, trace, graph, task.step).first->second.add_op(node, t);
  }
  std::vector<Task> found;
  for (auto& [step, functions] : launches) {
    const std::vector<Task> more = functions.find();
    found.insert(found.end(), more.begin(), more.end());
  }
  graph.tasks.insert(graph.tasks.end(), found.begin(), found.end());
}

}  // namespace lapscope::analyzer

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/graph/launched_graphs.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// The work of a stream falls into chains that each begin with bringing data in: copies to the
// device, or to another one. What a thread issues is a chain of its own, and so are the kernels
// that communicate, each of which waits for what was computed before it.
//
//   stream 1   HHH KKK DDD HHH KKK DDD      a chain is H K D; with a depth of 2
//   becomes    HHH KKK DDD                  the second runs beside the first,
//                  HHH KKK DDD              and the third after the first
class Chains {
 public:
  Chains(const Trace& trace, const Graph& graph)
      : trace_(trace), graph_(graph), launches_(trace, graph) {}

  void pass_task(std::uint32_t t) {
    const Task& task = graph_.tasks[t];
    pass({task.stream, thread_of(task), task.communicates}, brings_in(task), target_of(task), t);
    if (task.communicates) computed = lanes_[{task.stream, thread_of(task), false}].last;
  }

  // A graph launch goes on with the chain that its stream is in, and waits for the launch before
  // it: launches of one executable graph never run side by side, whatever stream they are in.
  void pass_launch(const Step& launch) {
    std::uint32_t last = launch.first_task;
    for (std::uint32_t t = last; t < launch.first_task + launch.task_count; ++t) {
      if (graph_.tasks[last].end <= graph_.tasks[t].end) last = t;
    }
    const Key key{launches_.stream_of(launch), thread_of(graph_.tasks[last]), false};
    pass(key, false, no_device, last);
    launched = std::exchange(lanes_[key].launched, last);
  }

  // The last tasks of the chains that run beside the one of what was passed last, before it.
  std::vector<std::uint32_t> beside(std::uint32_t depth) const {
    const std::uint32_t count = std::min(chain, depth - 1);
    return {ends->begin() + (chain - count), ends->begin() + chain};
  }

  // Of what was passed last.
  std::uint32_t chain = 0;            // that it belongs to, counted in its stream and thread from 0
  std::uint32_t before = no_index;    // the task before it in its chain
  std::uint32_t computed = no_index;  // of communication: what may have made the data
  std::uint32_t launched = no_index;  // before a graph launch: the one before it
  const std::vector<std::uint32_t>* ends = nullptr;  // the last task of each chain of its lane

 private:
  struct Lane {
    std::uint32_t last = no_index;
    std::uint32_t launched = no_index;
    bool was_bringing = false;
    std::uint8_t target = no_device;
    std::vector<std::uint32_t> ends;
  };
  using Key = std::tuple<std::uint32_t, std::int64_t, bool>;

  // Something whose end is that of `last`.
  void pass(const Key& key, bool brings, std::uint8_t target, std::uint32_t last) {
    Lane& lane = lanes_[key];
    const bool is_first =
        lane.last == no_index || (brings && !(lane.was_bringing && lane.target == target));
    if (is_first) lane.ends.push_back(no_index);
    before = is_first ? no_index : lane.last;
    computed = launched = no_index;
    chain = static_cast<std::uint32_t>(lane.ends.size()) - 1;
    ends = &lane.ends;
    lane.ends.back() = last;
    lane.last = last;
    lane.was_bringing = brings;
    lane.target = target;
  }
  std::int64_t thread_of(const Task& task) const {
    if (task.step == no_index) return 0;
    const Calls& calls = trace_.calls;
    return calls.threads[calls.thread_of(graph_.steps[task.step].call)].global_tid;
  }
  bool brings_in(const Task& task) const {
    return task.op != no_index && (task.engine == Engine::h2d || target_of(task) != no_device);
  }
  std::uint8_t target_of(const Task& task) const {
    return task.op == no_index ? no_device : trace_.devices[task.device].ops.target[task.op];
  }

  const Trace& trace_;
  const Graph& graph_;
  LaunchedGraphs launches_;
  std::map<Key, Lane> lanes_;
};

bool is_node_of_launch(const Graph& graph, std::uint32_t t) {
  const std::uint32_t step = graph.tasks[t].step;
  return step != no_index && graph.steps[step].is_graph_launch;
}

// A node that waits for no other one of its launch.
bool is_root(const Graph& graph, std::uint32_t t) {
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    if (graph.tasks[graph.edges[e].from].step == graph.tasks[t].step) return false;
  }
  return true;
}

// Who waits for a stream waits for its last task, which is of one chain: now also for the chains
// before it, so many that those before them are waited for by these.
void wait_for_all_chains(const std::vector<std::vector<std::uint32_t>>& others, Graph& graph) {
  for (Step& step : graph.steps) {
    std::vector<std::uint32_t> waits;
    for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
      waits.push_back(graph.waits[w]);
      const std::vector<std::uint32_t>& more = others[graph.waits[w]];
      waits.insert(waits.end(), more.begin(), more.end());
    }
    if (waits.size() == step.wait_count) continue;
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    step.first_wait = static_cast<std::uint32_t>(graph.waits.size());
    step.wait_count = static_cast<std::uint32_t>(waits.size());
    graph.waits.insert(graph.waits.end(), waits.begin(), waits.end());
  }
}

// A task that waited for the other one already does so as it did.
void wait_for(Graph& graph, std::uint32_t before, std::uint32_t t, std::vector<NewEdge>& added) {
  if (before == no_index) return;
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    if (graph.edges[e].from != before) continue;
    graph.edges[e].removed = false;
    return;
  }
  added.push_back({t, {before, Cause::stream_order, false, false}});
}

void apply_split_streams(const Trace& trace, double value, Graph& graph) {
  const auto depth =
      value >= 1 ? static_cast<std::uint32_t>(value) : assumed::streams_for_one.value;
  remove_edges(Cause::stream_order, graph);
  std::vector<NewEdge> added;
  std::vector<bool> is_awaited(graph.tasks.size());
  for (const std::uint32_t task : graph.waits) is_awaited[task] = true;
  std::vector<std::vector<std::uint32_t>> others(graph.tasks.size());  // of those: chains beside
  Chains chains(trace, graph);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    std::uint32_t last = t;  // of those that go together
    if (is_node_of_launch(graph, t)) {
      const Step& launch = graph.steps[graph.tasks[t].step];
      chains.pass_launch(launch);
      last = launch.first_task + launch.task_count - 1;
    } else {
      chains.pass_task(t);
    }
    std::uint32_t before = chains.before;
    if (before == no_index && chains.chain >= depth) before = (*chains.ends)[chains.chain - depth];
    if (chains.computed != no_index) {
      added.push_back({t, {chains.computed, Cause::event_wait, false, false}});
    }
    for (std::uint32_t one = t; one <= last; ++one) {
      if (is_awaited[one]) others[one] = chains.beside(depth);
      if (!is_root(graph, one)) continue;
      wait_for(graph, before, one, added);
      if (chains.launched != before) wait_for(graph, chains.launched, one, added);
    }
    t = last;
  }
  wait_for_all_chains(others, graph);
  add_edges(std::move(added), graph);
}

}  // namespace

const Fix split_streams{Cause::stream_order, "each stream becomes several, which take turns",
                        "how many, 4 if left out", true, apply_split_streams};

}  // namespace lapscope::analyzer

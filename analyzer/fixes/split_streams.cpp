#include <map>
#include <tuple>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/measures/communication.h"

namespace lapscope::analyzer {
namespace {

constexpr std::uint32_t usual_depth = 4;

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
      : trace_(trace),
        graph_(graph),
        communication_(communication_names(trace.names, default_communication_patterns())) {}

  // The chain that a task belongs to, counted in its stream and thread from 0.
  void pass(std::uint32_t t) {
    const Task& task = graph_.tasks[t];
    const bool communicates = is_communication(task);
    Lane& lane = lanes_[{task.stream, thread_of(task), communicates}];
    computed = communicates ? lanes_[{task.stream, thread_of(task), false}].last : no_index;
    const bool brings = brings_in(task);
    const std::uint8_t target = target_of(task);
    if (lane.last == no_index || (brings && !(lane.was_bringing && lane.target == target))) {
      lane.ends.push_back(no_index);
      is_first = true;
    } else {
      is_first = false;
    }
    before = is_first ? no_index : lane.last;
    chain = static_cast<std::uint32_t>(lane.ends.size()) - 1;
    ends = &lane.ends;
    lane.ends.back() = t;
    lane.last = t;
    lane.was_bringing = brings;
    lane.target = target;
  }

  // Of the task that was passed last.
  bool is_first = false;  // of its chain
  std::uint32_t chain = 0;
  std::uint32_t before = no_index;    // the task before it in its chain
  std::uint32_t computed = no_index;  // of communication: what may have made the data
  const std::vector<std::uint32_t>* ends = nullptr;  // the last task of each chain of its lane

 private:
  struct Lane {
    std::uint32_t last = no_index;
    bool was_bringing = false;
    std::uint8_t target = no_device;
    std::vector<std::uint32_t> ends;
  };
  std::int64_t thread_of(const Task& task) const {
    if (task.step == no_index) return 0;
    const Calls& calls = trace_.calls;
    return calls.threads[calls.thread_of(graph_.steps[task.step].call)].global_tid;
  }
  bool is_communication(const Task& task) const {
    if (task.op == no_index) return false;
    const std::uint32_t name = trace_.devices[task.device].ops.name[task.op];
    return name != no_index && communication_[name];
  }
  bool brings_in(const Task& task) const {
    return task.op != no_index && (task.engine == Engine::h2d || target_of(task) != no_device);
  }
  std::uint8_t target_of(const Task& task) const {
    return task.op == no_index ? no_device : trace_.devices[task.device].ops.target[task.op];
  }

  const Trace& trace_;
  const Graph& graph_;
  std::vector<bool> communication_;  // by name
  std::map<std::tuple<std::uint32_t, std::int64_t, bool>, Lane> lanes_;
};

void apply(const Trace& trace, double value, Graph& graph) {
  const auto depth = value >= 1 ? static_cast<std::uint32_t>(value) : usual_depth;
  remove_edges(Cause::stream_order, graph);
  std::vector<NewEdge> added;
  Chains chains(trace, graph);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.step != no_index && graph.steps[task.step].is_graph_launch) {
      for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
        if (graph.edges[e].cause == Cause::stream_order) graph.edges[e].removed = false;
      }
      continue;
    }
    chains.pass(t);
    if (chains.computed != no_index) {
      added.push_back({t, {chains.computed, Cause::event_wait, false, false}});
    }
    if (chains.before != no_index) {
      added.push_back({t, {chains.before, Cause::stream_order, false, false}});
    } else if (chains.chain >= depth) {
      added.push_back(
          {t, {(*chains.ends)[chains.chain - depth], Cause::stream_order, false, false}});
    }
  }
  add_edges(std::move(added), graph);
}

}  // namespace

const Fix split_streams{Cause::stream_order, "each stream becomes several, which take turns",
                        "how many, 4 if left out", true, apply};

}  // namespace lapscope::analyzer

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/fixes/tiles.h"
#include "analyzer/graph/launched_graphs.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// The work of a stream falls into chains that each begin with bringing data in: copies to the
// device, or to another one. What a thread issues is a chain of its own, and so are the kernels
// that communicate, each of which waits for what was computed before it, and a launch of another
// graph than the one launched right before.
//
//   stream 1   HHH KKK DDD HHH KKK DDD      a chain is H K D; with a depth of 2
//   becomes    HHH KKK DDD                  the second runs beside the first,
//                  HHH KKK DDD              and the third after the first
//
// Given what the trace shows, only those begin that are shown to need nothing of what was before:
// tiles, work of twin threads, copies back after a copy out to the same device, another executable
// graph of the same nodes. Where only the copies in are shown to need nothing, what uses them
// waits for the chain before, too:
//
//   stream 1   HHH KKKKK HHH KKKKK
//   becomes    HHH KKKKK
//                  HHH   KKKKK
//
// Where the work behind copies out needs nothing of them, it waits for the copies out before these:
// for the other of two buffers.
//
//   stream 1   KKK DDDD KKK DDDD
//   becomes    KKK      KKK
//                  DDDD     DDDD
class Chains {
 public:
  Chains(const Trace& trace, const Graph& graph, const Tiles* shown)
      : trace_(trace), graph_(graph), launches_(trace, graph), shown_(shown) {}

  void pass_task(std::uint32_t t) {
    const Task& task = graph_.tasks[t];
    const bool communicates = task.communicates && !shown_;
    const Key key{task.stream, thread_of(task), communicates};
    Lane& lane = lanes_[key];
    if (shown_ && shown_->leaves_behind(task) && lane.last != no_index) {
      leave_behind(lane, t);
      return;
    }
    const bool brings = brings_in(task);
    bool begins = brings && !(lane.was_bringing && lane.target == target_of(task));
    const bool fetches = begins && shown_ && shown_->fetches_ahead(task);
    if (begins && shown_) begins = fetches || shown_->begins_alone(task) || sends_back(lane, task);
    if (begins) lane.needed = fetches ? lane.last : no_index;
    pass(lane, begins, t);
    is_ahead = fetches;
    if (!brings) needed = std::exchange(lane.needed, no_index);
    lane.was_bringing = brings;
    lane.target = target_of(task);
    lane.graph = 0;
    if (communicates) computed = lanes_[{task.stream, thread_of(task), false}].last;
  }

  // A graph launch goes on with the chain that its stream is in, but after one of another graph,
  // and waits for the launch before it that may be of its executable graph: these never run side
  // by side, whatever stream they are in.
  void pass_launch(const Step& launch) {
    std::uint32_t last = launch.first_task;
    for (std::uint32_t t = last; t < launch.first_task + launch.task_count; ++t) {
      if (graph_.tasks[last].end <= graph_.tasks[t].end) last = t;
    }
    Lane& lane = lanes_[{launches_.stream_of(launch), thread_of(graph_.tasks[last]), false}];
    const std::uint64_t graph = launches_.executable_of(launch);
    std::vector<std::uint64_t> nodes = nodes_of(launch);
    const bool is_other = graph != 0 && lane.graph != 0 && lane.graph != graph;
    pass(lane, is_other && (!shown_ || lane.nodes == nodes), last);
    needed = std::exchange(lane.needed, no_index);
    lane.was_bringing = false;
    lane.target = no_device;
    lane.graph = graph;
    lane.nodes = std::move(nodes);
    std::uint32_t& known =
        graph == 0 ? lane.launched : of_graph_.try_emplace(graph, no_index).first->second;
    launched = std::exchange(known, last);
    if (graph != 0) lane.launched = last;
  }

  // The last tasks of what runs beside the chain of what was passed last, before it.
  std::vector<std::uint32_t> beside(std::uint32_t depth) const {
    const std::uint32_t count = std::min(chain, depth - 1);
    std::vector<std::uint32_t> result(ends->begin() + (chain - count), ends->begin() + chain);
    if (copied_out != no_index) result.push_back(copied_out);
    return result;
  }

  // Of what was passed last.
  std::uint32_t chain = 0;            // that it belongs to, counted in its stream and thread from 0
  std::uint32_t before = no_index;    // the task before it in its chain
  std::uint32_t computed = no_index;  // of communication: what may have made the data
  std::uint32_t launched = no_index;  // before a graph launch: the one before it
  std::uint32_t needed = no_index;    // behind copies in: the end of the chain before; behind and
                                      // of copies out: the ones before these
  std::uint32_t copied_out = no_index;   // the last one that was left behind
  std::vector<std::uint32_t> left = {};  // copies out right before it that are left behind
  bool is_ahead = false;                 // copies in that need nothing, of what needs that chain
  const std::vector<std::uint32_t>* ends = nullptr;  // the last task of each chain of its lane

 private:
  struct Lane {
    std::uint32_t last = no_index;
    std::uint32_t launched = no_index;
    std::uint32_t needed = no_index;  // by what uses the copies in, or follows copies out
    std::uint32_t copied_out = no_index;
    std::vector<std::uint32_t> left = {};
    bool was_bringing = false;
    std::uint8_t target = no_device;
    std::uint64_t graph = 0;                // that was launched last, with nothing after it
    std::vector<std::uint64_t> nodes = {};  // what its nodes do
    std::vector<std::uint32_t> ends;
  };
  using Key = std::tuple<std::uint32_t, std::int64_t, bool>;

  // Something whose end is that of `last`.
  void pass(Lane& lane, bool begins, std::uint32_t last) {
    const bool is_first = lane.last == no_index || begins;
    if (is_first) lane.ends.push_back(no_index);
    before = is_first ? no_index : lane.last;
    computed = launched = needed = no_index;
    is_ahead = false;
    chain = static_cast<std::uint32_t>(lane.ends.size()) - 1;
    ends = &lane.ends;
    lane.ends.back() = last;
    lane.last = last;
    copied_out = lane.copied_out;
    left = std::exchange(lane.left, {});
  }
  // A copy out, which stays behind what is ahead of it, and is ahead of nothing but copies out.
  void leave_behind(Lane& lane, std::uint32_t t) {
    before = lane.last;
    computed = launched = no_index;
    needed = copied_out = lane.copied_out;
    is_ahead = false;
    left.clear();
    chain = static_cast<std::uint32_t>(lane.ends.size()) - 1;
    ends = &lane.ends;
    if (lane.left.empty()) lane.needed = lane.copied_out;
    lane.left.push_back(t);
    lane.was_bringing = false;
    lane.graph = 0;
    lane.copied_out = t;
  }
  std::int64_t thread_of(const Task& task) const {
    if (task.step == no_index || (shown_ && !shown_->has_twin_thread(task))) return 0;
    const Calls& calls = trace_.calls;
    return calls.threads[calls.thread_of(graph_.steps[task.step].call)].global_tid;
  }
  bool brings_in(const Task& task) const {
    return task.op != no_index && (task.engine == Engine::h2d || target_of(task) != no_device);
  }
  std::uint8_t target_of(const Task& task) const {
    return task.op == no_index ? no_device : trace_.devices[task.device].ops.target[task.op];
  }
  // Right after a copy to another device one from there to here: what was brought there is here.
  bool sends_back(const Lane& lane, const Task& task) const {
    if (lane.last == no_index || lane.target == no_device) return false;
    return lane.target == trace_.devices[task.device].id &&
           target_of(task) == trace_.devices[graph_.tasks[lane.last].device].id;
  }
  std::vector<std::uint64_t> nodes_of(const Step& launch) const {
    std::vector<std::uint64_t> nodes;
    for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
      const Task& task = graph_.tasks[t];
      if (task.op != no_index)
        nodes.push_back(code_of_op(trace_.devices[task.device].ops, task.op));
    }
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  const Trace& trace_;
  const Graph& graph_;
  LaunchedGraphs launches_;
  const Tiles* shown_;
  std::map<Key, Lane> lanes_;
  std::unordered_map<std::uint64_t, std::uint32_t> of_graph_;  // the launch before
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
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    std::vector<std::uint32_t> waits;
    for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
      waits.push_back(graph.waits[w]);
      const std::vector<std::uint32_t>& more = others[graph.waits[w]];
      waits.insert(waits.end(), more.begin(), more.end());
    }
    if (waits.size() == step.wait_count) continue;
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    set_waits(waits, graph.steps.edit()[s], graph);
  }
}

// A task that waited for the other one already does so as it did.
void wait_for(Graph& graph, std::uint32_t before, std::uint32_t t, std::vector<NewEdge>& added) {
  if (before == no_index) return;
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    if (graph.edges[e].from != before) continue;
    graph.edges.edit()[e].removed = false;
    return;
  }
  added.push_back({t, {before, Cause::stream_order, false, false}});
}

bool has_stream_order(const Graph& graph, std::uint32_t t) {
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    if (graph.edges[e].cause == Cause::stream_order) return true;
  }
  return false;
}

// What copies out that are left behind waited for besides their stream, the work behind them still
// waits for: an event holds up all that comes after it in the stream.
void wait_as(const Graph& graph, const std::vector<std::uint32_t>& left, std::uint32_t t,
             std::vector<NewEdge>& added) {
  for (const std::uint32_t copy : left) {
    for (std::uint32_t e = graph.edge_begin[copy]; e < graph.edge_begin[copy + 1]; ++e) {
      const Edge& edge = graph.edges[e];
      if (edge.cause != Cause::stream_order && !edge.removed) added.push_back({t, edge});
    }
  }
}

// What waited for work of another stream, by an event say, waited for the copies out ahead of that,
// too. Nodes of one launch wait for each other alone.
// copied_out: of each task, the last one that was left behind.
void wait_for_copies_out(const Graph& graph, const std::vector<std::uint32_t>& copied_out,
                         std::vector<NewEdge>& added) {
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      Edge edge = graph.edges[e];
      const std::uint32_t copy = copied_out[edge.from];
      if (copy == no_index || edge.cause == Cause::stream_order || edge.removed) continue;
      const Task& from = graph.tasks[edge.from];
      const bool is_of_launch = from.step != no_index && from.step == graph.tasks[t].step;
      if (edge.from_start || is_of_launch || from.stream == graph.tasks[t].stream) continue;
      edge.from = copy;
      added.push_back({t, edge});
    }
  }
}

// Returns whether any stream has several chains.
bool split(const Trace& trace, std::uint32_t depth, const Tiles* shown, Graph& graph) {
  bool is_any = false;
  remove_edges(Cause::stream_order, graph);
  std::vector<NewEdge> added;
  std::vector<bool> is_awaited(graph.tasks.size());
  for (const std::uint32_t task : graph.waits) is_awaited[task] = true;
  std::vector<std::vector<std::uint32_t>> others(graph.tasks.size());  // of those: chains beside
  std::vector<std::uint32_t> copied_out(graph.tasks.size(), no_index);
  Chains chains(trace, graph, shown);
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
    is_any |= (before == no_index || !chains.left.empty()) && has_stream_order(graph, t);
    const std::uint32_t room = chains.is_ahead ? assumed::buffers_for_copies : depth;
    if (before == no_index && chains.chain >= room) before = (*chains.ends)[chains.chain - room];
    if (chains.computed != no_index) {
      added.push_back({t, {chains.computed, Cause::event_wait, false, false}});
    }
    for (std::uint32_t one = t; one <= last; ++one) {
      if (is_awaited[one]) others[one] = chains.beside(depth);
      copied_out[one] = chains.copied_out;
      if (!is_root(graph, one)) continue;
      wait_as(graph, chains.left, one, added);
      wait_for(graph, before, one, added);
      if (chains.launched != before) wait_for(graph, chains.launched, one, added);
      if (chains.needed != chains.launched) wait_for(graph, chains.needed, one, added);
    }
    t = last;
  }
  wait_for_all_chains(others, graph);
  wait_for_copies_out(graph, copied_out, added);
  add_edges(std::move(added), graph);
  return is_any;
}

void apply_split_streams(const Trace& trace, double value, Graph& graph) {
  split(trace, value >= 1 ? static_cast<std::uint32_t>(value) : assumed::streams_for_one.value,
        nullptr, graph);
}

bool split_shown_streams(const Trace& trace, const Tiles& shown, Graph& graph) {
  return split(trace, assumed::streams_for_one, &shown, graph);
}

}  // namespace

const Fix split_streams{Cause::stream_order,
                        "independent work of a stream gets streams of its own",
                        "how many; 4 if left out",
                        true,
                        apply_split_streams,
                        nullptr,
                        nullptr,
                        split_shown_streams};

}  // namespace lapscope::analyzer

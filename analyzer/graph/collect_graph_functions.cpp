#include <algorithm>
#include <map>
#include <set>

#include "analyzer/graph/building.h"
#include "analyzer/graph/launched_graphs.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

using Node = std::uint64_t;

// For each graph node, the nodes that depended on it at any time. Dependencies can change between
// launches.
class Followers {
 public:
  explicit Followers(const Topology& topology) {
    for (const NodeDependency& one : topology.dependencies) all_.push_back({one.on, one.node});
    std::sort(all_.begin(), all_.end());
  }

  template <class Take>
  void of(Node node, Take&& take) const {
    auto next = std::lower_bound(all_.begin(), all_.end(), std::pair{node, Node{0}});
    for (; next != all_.end() && next->first == node; ++next) take(next->second);
  }

 private:
  std::vector<std::pair<Node, Node>> all_;
};

// The host functions of one graph launch. Records do not show when they ran. A function is assumed
// to begin when all nodes that it waits for have ended. The function is assumed to end
// assumed::quick_call before the start of the first node that waits for it.
//
//   stream 1  AAA......BB    f is a node between A and B
//   f         ...ffff
class Functions {
 public:
  Functions(const Trace& trace, const RecordedCalls& calls, const std::vector<Draft>& drafts,
            const Followers& followers, std::uint32_t step)
      : topology_(trace.topology),
        calls_(calls),
        drafts_(drafts),
        followers_(followers),
        step_(step) {}

  void add_op(Node node, std::uint32_t task) { ops_[node] = task; }

  // Returns the host functions of the launch. Each function comes after the functions that it waits
  // for. Returns nothing if the trace lacks the graph node of one of the ops.
  std::vector<Draft> find() {
    for (const auto& [node, task] : ops_) {
      if (!std::binary_search(topology_.nodes.begin(), topology_.nodes.end(), node)) return {};
    }
    find_functions();
    for (auto& [node, function] : functions_) look_before(node, function);
    for (const auto& [node, task] : ops_) {
      before(node, [&](Node other) {
        const auto function = functions_.find(other);
        if (function == functions_.end()) return false;
        function->second.next = std::min(function->second.next, drafts_[task].time.start);
        return true;
      });
    }
    return in_order();
  }

 private:
  struct Function {
    Ns ended = never;           // end of the last op directly before it
    std::set<Node> after;       // the functions directly before it
    Ns next = latest_time;      // start of the first op directly behind it
    bool has_follower = false;  // another function is directly behind it
    Interval times;
  };

  Ns when() const { return calls_.times[step_].start; }
  bool is_op(Node node) const { return ops_.contains(node); }
  bool is_function(Node node) const {
    const auto& all = topology_.host_functions;
    return !is_op(node) && std::binary_search(all.begin(), all.end(), node);
  }

  // Finds all host functions of the graph. Starts at the graph's ops and follows the dependencies
  // in both directions.
  void find_functions() {
    std::set<Node> passed;
    std::vector<Node> open;
    for (const auto& [node, task] : ops_) open.push_back(node);
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (!passed.insert(node).second) continue;
      if (is_function(node)) functions_.try_emplace(node);
      for (const Node on : dependencies(topology_, node, when())) open.push_back(on);
      followers_.of(node, [&](Node other) {
        if (passed.contains(other)) return;
        const auto on = dependencies(topology_, other, when());
        if (std::count(on.begin(), on.end(), node) > 0) open.push_back(other);
      });
    }
  }

  // Calls stops(other) for each node that `node` depends on, directly or indirectly. Goes no
  // further at an op, nor at a node for which stops() returns true.
  template <class Stops>
  void before(Node node, Stops&& stops) const {
    go_back(topology_, node, when(), [&](Node on) { return stops(on) || is_op(on); });
  }

  void look_before(Node node, Function& function) {
    before(node, [&](Node on) {
      if (const auto op = ops_.find(on); op != ops_.end()) {
        function.ended = std::max(function.ended, drafts_[op->second].time.end);
        return true;
      }
      const auto other = functions_.find(on);
      if (other == functions_.end()) return false;
      function.after.insert(on);
      other->second.has_follower = true;
      return true;
    });
  }

  // Sorts the host functions so that each function comes after the functions that it waits for.
  // Leaves out functions in a cycle, which a damaged trace may have.
  std::vector<Draft> in_order() {
    std::map<Node, std::vector<Node>> behind;
    std::map<Node, std::size_t> waits;
    std::vector<Node> ready;
    for (const auto& [node, function] : functions_) {
      for (const Node other : function.after) behind[other].push_back(node);
      waits[node] = function.after.size();
      if (function.after.empty()) ready.push_back(node);
    }
    std::vector<Draft> drafts;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      drafts.push_back(draft_of(ready[i]));
      drafts.back().place = static_cast<std::uint32_t>(i);
      for (const Node other : behind[ready[i]]) {
        if (--waits[other] == 0) ready.push_back(other);
      }
    }
    return drafts;
  }

  Draft draft_of(Node node) {
    Function& function = functions_[node];
    function.times = times_of(function);
    const auto& all = topology_.host_functions;
    Task task;
    task.kind = TaskKind::host_function;
    task.step = step_;
    task.function_node =
        static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), node) - all.begin());
    task.stream = drafts_[ops_.begin()->second].task.stream;
    return {task, function.times};
  }

  // If several functions follow each other, nothing shows where one ends and the next begins. So
  // the last function gets all of their time.
  Interval times_of(const Function& function) const {
    Ns start = function.ended;
    for (const Node before : function.after) {
      start = std::max(start, functions_.at(before).times.end);
    }
    const bool is_followed = function.next != latest_time;
    const Ns until = is_followed ? function.next - assumed::quick_call : never;
    if (start == never)
      start = std::min(calls_.times[step_].end, std::max(until, calls_.host.begin));
    if (is_followed || function.has_follower) return {start, std::max(start, until)};
    return {start, latest_time};
  }

  const Topology& topology_;
  const RecordedCalls& calls_;
  const std::vector<Draft>& drafts_;
  const Followers& followers_;
  std::uint32_t step_;
  std::map<Node, std::uint32_t> ops_;  // task by node
  std::map<Node, Function> functions_;
};

}  // namespace

std::vector<Draft> graph_functions(const Trace& trace, const RecordedCalls& calls,
                                   const std::vector<Draft>& ops) {
  if (trace.topology.host_functions.empty()) return {};
  const Followers followers(trace.topology);
  std::map<std::uint32_t, Functions> launches;  // by step
  for (std::uint32_t t = 0; t < ops.size(); ++t) {
    const Task& task = ops[t].task;
    if (!is_graph_node(calls.host, task)) continue;
    const Node node = node_of_op(trace.devices[task.device].ops, task.op);
    launches.try_emplace(task.step, trace, calls, ops, followers, task.step)
        .first->second.add_op(node, t);
  }
  std::vector<Draft> found;
  for (auto& [step, functions] : launches) {
    const std::vector<Draft> more = functions.find();
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

}  // namespace lapscope::analyzer

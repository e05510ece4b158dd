#include "analyzer/replay/without_recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/call_costs.h"
#include "collector/schema/call_cost_kinds.h"

namespace lapscope::analyzer {
namespace {

namespace kind = schema::call_cost;

Ns cost_of_step(const CallCosts& costs, CallKind call, Ns pause, const Step& step) {
  Ns cost = cost_after(costs, call, pause);
  if (step.is_graph_launch) cost += costs.of(kind::graph_node) * step.task_count;
  return cost;
}

// A pause is the time between two successive calls of a thread, of any kind. For each kind of call,
// finds the thread's longest pause since its last call of this kind. Before its first call of this
// kind, the longest pause is unlimited. A wait inside a call does not count as a pause, because the
// caches stay warm.
class Pauses {
 public:
  Pauses() { longest_.fill(std::numeric_limits<Ns>::max()); }

  void add(Ns ns) {
    for (Ns& one : longest_) one = std::max(one, ns);
  }

  // Call this at each call of the thread. Returns the thread's longest pause since the previous
  // call of this kind.
  Ns end(CallKind kind) { return std::exchange(longest_[static_cast<std::size_t>(kind)], 0); }

 private:
  std::array<std::int64_t, static_cast<std::size_t>(CallKind::other) + 1> longest_;
};

// The greatest charge in ns. Costs above it come from a damaged trace.
constexpr Ns longest_charge = std::numeric_limits<std::int32_t>::max();

// Returns `cost` in ns, limited to `length` and longest_charge, and at least 0.
Ns at_most(Ns cost, Ns length) { return std::max<Ns>(0, std::min({cost, length, longest_charge})); }

// Returns the time of a call in ns, without its wait for the device.
Ns own_length(const Step& step, const Interval& call) {
  const bool waited = step.wait_count > 0 && step.call_overhead < call.length();
  return waited ? step.return_latency : step.call_overhead;
}

// Returns the gap before a step. It begins at the end of the thread's previous step, or at the end
// of a step of another thread that the step waited for.
template <class AnyStep>
auto& time_before(AnyStep& step) {
  const bool follows_other = step.after != no_index && (step.gap == 0 || step.waits_for_turn());
  return follows_other ? step.after_gap : step.gap;
}

// Charges half of each NVTX range's cost to the gap in which it begins, and half to the gap in
// which it ends.
void charge_ranges(const Trace& trace, const CallCosts& costs, const Graph& graph,
                   std::vector<Ns>& before) {
  const Ns half = costs.of(kind::nvtx_range) / 2;
  if (half == 0) return;
  const ThreadIndex threads(graph);
  for (const NvtxRange& range : trace.ranges) {
    const ThreadSteps* thread = threads.of(range.global_tid);
    if (!thread) continue;
    for (const Ns time : {range.interval.start, range.interval.end}) {
      const auto first = graph.times.steps.begin() + thread->first;
      const auto last = graph.times.steps.begin() + thread->last;
      const auto behind = std::partition_point(
          first, last, [time](const Interval& call) { return call.start < time; });
      if (behind == first || behind == last) continue;  // before or after all calls
      before[static_cast<std::size_t>(behind - graph.times.steps.begin())] += half;
    }
  }
}

bool is_kernel(const Task& task) { return task.op != no_index && task.engine == Engine::compute; }
// Whether a task copies between host and device.
bool is_copy(const Task& task) {
  return task.op != no_index && (task.engine == Engine::h2d || task.engine == Engine::d2h);
}

// Whether task `t` is a kernel that waited for another kernel because of `cause`.
bool follows_kernel(const Graph& graph, std::uint32_t t, Cause cause) {
  const Binding& binding = graph.bindings[t];
  return binding.cause == cause && binding.from != no_index && is_kernel(graph.tasks[t]) &&
         is_kernel(graph.tasks[binding.from]);
}

// Whether task `t` is a copy that waited for a kernel, or for a copy in its direction.
bool is_queued_copy(const Graph& graph, std::uint32_t t) {
  const Task& task = graph.tasks[t];
  const std::uint32_t waited_for = graph.bindings[t].from;
  if (!is_copy(task) || waited_for == no_index) return false;
  const Task& from = graph.tasks[waited_for];
  return is_kernel(from) || (is_copy(from) && from.engine == task.engine);
}

// Returns the time that recording adds between task `t` and the task that it waited for, in ns.
// Returns 0 for pairs of ops that the calibration does not measure.
Ns cost_between(const CallCosts& costs, const Graph& graph, std::uint32_t t) {
  if (is_queued_copy(graph, t)) return costs.of(kind::copy_on_device);
  if (follows_kernel(graph, t, Cause::graph_edge)) return costs.of(kind::graph_node_on_device);
  if (!follows_kernel(graph, t, Cause::stream_order)) return 0;
  const bool is_told = costs.ns.count(kind::graph_launch_on_device) > 0;
  return costs.of(is_told && is_graph_node(graph, graph.tasks[t]) ? kind::graph_launch_on_device
                                                                  : kind::kernel_on_device);
}

// Returns the usual kind of cost between two kernels of a stream.
std::string_view usual_in_stream(const Graph& graph) {
  Ns more_graphs = 0;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (!follows_kernel(graph, t, Cause::stream_order)) continue;
    more_graphs += is_graph_node(graph, graph.tasks[t]) ? 1 : -1;
  }
  return more_graphs > 0 ? kind::graph_launch_on_device : kind::kernel_on_device;
}

// Moves each interval in `times` by the difference between `after` and `before`.
void move(const Column<Interval>& before, const Column<Interval>& after,
          std::vector<Interval>& times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i].start += after[i].start - before[i].start;
    times[i].end = std::max(times[i].start, times[i].end + after[i].end - before[i].end);
  }
}

// Delays calls that begin before the previous call of their thread has ended. Errors of the replays
// cause such overlaps.
void keep_order(const HostSteps& host, std::vector<Interval>& steps) {
  for (const ThreadSteps& thread : host.threads) {
    for (std::uint32_t s = thread.first + 1; s < thread.last; ++s) {
      steps[s].start = std::max(steps[s].start, steps[s - 1].end);
      steps[s].end = std::max(steps[s].end, steps[s].start);
    }
  }
}

// Returns edits that subtract the time that recording adds. They subtract `charges` from the calls,
// and `costs` from the times between ops on the device.
Edits without_costs(const CallCosts& costs, const std::vector<Charge>& charges,
                    const Graph& graph) {
  Edits edits(graph);
  for (std::uint32_t s = 0; s < charges.size(); ++s) {
    if (charges[s].call == 0 && charges[s].before == 0) continue;
    Step& step = edits.steps.edit(s);
    step.call_overhead -= at_most(charges[s].call, step.call_overhead);
    step.return_latency -= at_most(charges[s].call, step.return_latency);
    time_before(step) -= charges[s].before;
  }
  edits.quick_call = graph.quick_call - at_most(costs.of(kind::launch), graph.quick_call);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Ns cost = cost_between(costs, graph, t);
    if (cost == 0) continue;
    Ns& lag = edits.bindings.edit(t).lag;
    const Ns left = cost - std::clamp<Ns>(lag, 0, cost);
    lag -= cost - left;
    // The lag of a graph's node may be shorter than the cost. The rest of the cost is then part of
    // the node's duration. A node with a negative lag started before its release, and keeps its
    // duration.
    const bool follows_node = graph.bindings[t].cause == Cause::graph_edge;
    if (!follows_node || graph.bindings[t].lag < 0) continue;
    Ns& work = edits.lengths.edit(t).work;
    work -= at_most(left, work);
  }
  Latencies& latencies = edits.latencies.emplace(graph.latencies);
  const auto quicken = [&latencies](Cause cause, Engine engine, Ns cost) {
    Ns& latency =
        latencies.by_cause[static_cast<std::size_t>(cause)][static_cast<std::size_t>(engine)];
    latency = std::max(std::min<Ns>(latency, 0), latency - cost);
  };
  quicken(Cause::graph_edge, Engine::compute, costs.of(kind::graph_node_on_device));
  quicken(Cause::stream_order, Engine::compute, costs.of(usual_in_stream(graph)));
  for (const Engine engine : {Engine::h2d, Engine::d2h}) {
    for (const Cause cause : {Cause::stream_order, Cause::copy_engine, Cause::small_copies}) {
      quicken(cause, engine, costs.of(kind::copy_on_device));
    }
  }
  return edits;
}

}  // namespace

std::vector<Charge> charges_of(const Trace& trace, const CallCosts& costs, const Graph& graph) {
  if (costs.empty()) return {};
  std::vector<Charge> charges(graph.steps.size());
  std::vector<Ns> before(graph.steps.size());
  charge_ranges(trace, costs, graph, before);
  for (const ThreadSteps& thread : graph.threads) {
    Pauses pauses;
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      const Step& step = graph.steps[s];
      const CallKind call = trace.calls.kind[step.call];
      if (s > thread.first) pauses.add(graph.times.steps[s].start - graph.times.steps[s - 1].end);
      // The call stack is captured before CUPTI takes the call's start time.
      before[s] += trace.stacks.capture_ns(step.call);
      const Ns cost = cost_of_step(costs, call, pauses.end(call), step);
      charges[s].call =
          static_cast<std::int32_t>(at_most(cost, own_length(step, graph.times.steps[s])));
      // CUPTI writes the record of a call after it has taken the call's end time. So the cost may
      // exceed the call's own length. The excess lies in the gap before the next call.
      if (s + 1 < thread.last) before[s + 1] += cost - charges[s].call;
      charges[s].before = static_cast<std::int32_t>(at_most(before[s], time_before(step)));
    }
  }
  return charges;
}

std::optional<Graph> without_recorder(const CallCosts& costs, const std::vector<Charge>& charges,
                                      const Graph& graph) {
  if (costs.empty()) return std::nullopt;
  Graph changed = edited(without_costs(costs, charges, graph));
  Times times = graph.times;
  const Replayed before = replay(graph);
  const Replayed after = replay(changed);
  move(before.tasks, after.tasks, times.tasks.edit());
  move(before.steps, after.steps, times.steps.edit());
  keep_order(graph, times.steps.edit());
  return rebased(std::move(changed), times);
}

}  // namespace lapscope::analyzer

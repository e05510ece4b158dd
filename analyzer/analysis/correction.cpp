#include "analyzer/analysis/correction.h"

#include <algorithm>

#include "analyzer/analysis/bare_wall.h"
#include "analyzer/analysis/recorder_doubts.h"
#include "analyzer/findings/blame.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/graph/build_graph.h"
#include "analyzer/model/call_costs.h"

namespace lapscope::analyzer {
namespace {

// Instants of the corrected run are told from the scope's recorded begin on.
void move_path(std::int64_t by, CausesResult& result) {
  for (PathStretch& stretch : result.critical_path) {
    stretch.interval.start += by;
    stretch.interval.end += by;
  }
}

// What of the time at the begin and the end of NVTX ranges is the recorder's.
class HostClock {
 public:
  HostClock(const Graph& recorded, const Replayed& corrected, const GraphScope& scope)
      : recorded_(recorded), corrected_(corrected), by_end_(scope.tasks) {
    std::sort(by_end_.begin(), by_end_.end(), [&recorded](std::uint32_t a, std::uint32_t b) {
      return recorded.tasks[a].end < recorded.tasks[b].end;
    });
  }

  // How much shorter a range is without the recorder; nothing where its thread has no calls in it.
  std::optional<std::int64_t> taken_off(const NvtxRange& range) const {
    for (const ThreadSteps& thread : recorded_.threads) {
      if (thread.global_tid != range.global_tid) continue;
      const auto at = [this](std::uint32_t s) { return recorded_.steps.begin() + s; };
      const auto first =
          std::partition_point(at(thread.first), at(thread.last),
                               [&](const Step& step) { return step.start < range.interval.start; });
      const auto behind = std::partition_point(
          first, at(thread.last), [&](const Step& step) { return step.end <= range.interval.end; });
      if (first == behind) return std::nullopt;
      const auto begin = static_cast<std::size_t>(first - recorded_.steps.begin());
      const auto last = static_cast<std::size_t>(behind - recorded_.steps.begin()) - 1;
      // The time of opening it is before its first call, that of closing it behind all.
      const std::int64_t before = recorded_.steps[begin].start - corrected_.step_start[begin] -
                                  recorded_.steps[begin].recorder_before;
      return after(last, range.interval.end) - before;
    }
    return std::nullopt;
  }

 private:
  // By how much what was last before an instant is earlier: a call, or an op that was waited for by
  // a call that the graph does not hold.
  std::int64_t after(std::size_t last_step, std::int64_t time) const {
    const auto behind = std::partition_point(by_end_.begin(), by_end_.end(), [&](std::uint32_t t) {
      return recorded_.tasks[t].end <= time;
    });
    const std::int64_t step_end = recorded_.steps[last_step].end;
    if (behind != by_end_.begin()) {
      const std::uint32_t task = *std::prev(behind);
      const std::int64_t end = recorded_.tasks[task].end;
      if (end > step_end) return end - corrected_.end[task];
    }
    return step_end - corrected_.step_end[last_step];
  }

  const Graph& recorded_;
  const Replayed& corrected_;
  std::vector<std::uint32_t> by_end_;
};

// What would have come first as recorded, where that is something else.
void tell_what_came_first(const Context& context, const JudgedGraph& graph,
                          const std::vector<GraphScope>& recorded,
                          std::vector<CausesResult>& results) {
  const Graph uncharged = graph.uncharged();
  const Sources as_recorded{context.trace, context.host, uncharged};
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (!results[i].correction || results[i].blame.empty()) continue;
    const auto before = blame_of(critical_path(as_recorded, recorded[i]), recorded[i].device);
    const std::string_view now = results[i].blame.front().code;
    if (before.empty() || before.front().code == now) continue;
    results[i].correction->first_recorded = before.front().code;
    results[i].correction->first_corrected = now;
  }
}

}  // namespace

JudgedGraph::JudgedGraph(const Trace& trace, Interval issued,
                         const std::vector<bool>& communication)
    : recorded_(build_graph(trace, issued, communication)) {
  const CallCosts costs = costs_to_take_off(trace);
  if (costs.empty()) return;
  calibrated_ = costs.created;
  charge_recorder(trace, costs, recorded_);
  without_ = without_recorder(costs, recorded_);
}

Graph JudgedGraph::uncharged() const {
  Graph graph = recorded_;
  for (Step& step : graph.steps) step.recorder = step.recorder_before = 0;
  return graph;
}

Sources JudgedGraph::sources(const Context& context) const {
  return {context.trace, context.host, graph(), without_ ? &recorded_ : nullptr};
}

GraphScope JudgedGraph::judged(GraphScope scope) const {
  if (without_ && !scope.tasks.empty()) scope.window = window_of(scope, without_->times);
  return scope;
}

Correction JudgedGraph::correction(const Trace& trace, const ResolvedScope& resolved,
                                   const GraphScope& recorded) const {
  Correction correction;
  correction.recorded_ns = recorded.window.length();
  correction.corrected_ns = judged(recorded).window.length();
  correction.calibrated = calibrated_;
  if (without_) add_host_time(trace, resolved, recorded, correction);
  return correction;
}

void JudgedGraph::add_host_time(const Trace& trace, const ResolvedScope& resolved,
                                const GraphScope& recorded, Correction& correction) const {
  if (resolved.ranges.empty()) return;
  const HostClock clock(recorded_, without_->times, recorded);
  std::int64_t length = 0;
  std::int64_t taken = 0;
  for (const NvtxRange& range : resolved.ranges) {
    const auto one = clock.taken_off(range);
    if (!one || range.interval.end == latest_time) return;
    length += range.interval.length();
    taken += *one;
  }
  correction.host_recorded_ns = length;
  correction.host_corrected_ns = std::max<std::int64_t>(0, length - taken);
  const auto bare = bare_wall_of(trace, resolved);
  if (!bare || !bare->reason.empty() || bare->median_ns <= 0) return;
  correction.bare_error =
      static_cast<double>(*correction.host_corrected_ns) / static_cast<double>(bare->median_ns) - 1;
}

std::vector<CausesResult> judged_causes(const Context& context, const JudgedGraph& graph,
                                        const std::vector<const ResolvedScope*>& resolved,
                                        const std::vector<GraphScope>& recorded) {
  std::vector<GraphScope> scopes;
  for (const GraphScope& scope : recorded) scopes.push_back(graph.judged(scope));
  auto results = find_causes(graph.sources(context), scopes, context.options.causes);
  if (graph.is_corrected()) {
    for (std::size_t i = 0; i < scopes.size(); ++i) {
      if (scopes[i].tasks.empty()) continue;
      results[i].correction = graph.correction(context.trace, *resolved[i], recorded[i]);
      move_path(recorded[i].window.start - scopes[i].window.start, results[i]);
    }
    tell_what_came_first(context, graph, recorded, results);
  }
  leave_doubts_open(context, graph, recorded, results);
  return results;
}

void describe_judged_path(const Context& context, const JudgedGraph& graph,
                          const ResolvedScope& resolved, CausesResult& result) {
  const GraphScope recorded = graph_scope(graph.recorded(), resolved.device, resolved.scope);
  const GraphScope scope = graph.judged(recorded);
  describe_path(graph.sources(context), scope, context.options.causes.path_listed, result);
  if (!graph.is_corrected()) return;
  move_path(recorded.window.start - scope.window.start, result);
  // Blame sums to the time of this graph.
  if (result.correction) result.correction->corrected_ns = scope.window.length();
}

}  // namespace lapscope::analyzer

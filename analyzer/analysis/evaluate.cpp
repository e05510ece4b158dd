#include "analyzer/analysis/evaluate.h"

#include <algorithm>
#include <future>

#include "analyzer/analysis/bare_wall.h"
#include "analyzer/analysis/device_tables.h"
#include "analyzer/analysis/launch_order.h"
#include "analyzer/analysis/op_tables.h"
#include "analyzer/analysis/series.h"
#include "analyzer/measures/activity.h"
#include "analyzer/measures/collectives.h"
#include "analyzer/measures/measure.h"
#include "analyzer/model/trace.h"
#include "analyzer/scope/sweep.h"

namespace lapscope::analyzer {
namespace {

struct Evaluation {
  Evaluation(const Context& c, const Device& d)
      : context(c), device(d), subject(d, c.communication) {}

  GapObserver gap_observer() const { return {context.trace, device, context.options.gaps}; }

  const Context& context;
  const Device& device;
  const Subject subject;
};

ScopeResult describe(const Evaluation& evaluation, const ResolvedScope& scope,
                     const Activity& activity, const Gaps& gaps) {
  ScopeResult result;
  result.impossible_ops = impossible_ops_of(evaluation.context.trace, scope);
  result.window = activity.window;
  result.ops = activity.ops;
  for (const Measure* measure : measures()) {
    result.measures.push_back({measure, measure->compute(activity)});
  }
  result.states = state_table(activity);
  result.gaps =
      describe_gaps(gaps, evaluation.context.trace, evaluation.context.host, evaluation.device);
  return result;
}

template <class F>
void add_kernels(const Evaluation& evaluation, const Scope& scope, F&& instances,
                 ScopeResult& result) {
  if (!evaluation.context.options.kernels) return;
  const Trace& trace = evaluation.context.trace;
  result.kernels = kernels_of(trace, evaluation.device, scope);
  result.launches = launch_order(trace, evaluation.device, scope, instances());
}

// Evaluates the whole device, or the window, with all tables, in one sweep.
void evaluate_own(const Evaluation& evaluation, const ResolvedScope& own, DeviceResult& result) {
  const Scope& scope = own.scope;
  const Trace& trace = evaluation.context.trace;
  result.streams = streams_of(evaluation.device, scope);
  ActivityObserver activity(evaluation.subject, scope);
  GapObserver gaps = evaluation.gap_observer();
  CollectiveObserver collectives(evaluation.subject, activity);
  StreamOverlapObserver streams(evaluation.device, result.streams);
  StripObserver strip(activity, scope.window);
  sweep(evaluation.device.ops, scope, activity, gaps, collectives, streams, strip);
  const Activity figures = activity.activity();
  result.scope = describe(evaluation, own, figures, gaps.gaps());
  result.strip = strip.strip();
  result.engines = engines_of(figures);
  result.class_overlaps = class_overlaps_of(figures);
  result.stream_overlaps = streams.overlaps();
  result.collectives = collectives.collectives(trace.names);
  result.groups = groups_of(trace, evaluation.subject, scope);
}

Value value_of(const BareWall& bare) {
  if (!bare.reason.empty()) return Undefined{bare.reason};
  return Nanoseconds{bare.median_ns};
}

RangeResult evaluate_range(const Evaluation& evaluation, const ResolvedScope& range) {
  const Ops& ops = evaluation.device.ops;
  const Trace& trace = evaluation.context.trace;
  ActivityObserver activity(evaluation.subject, range.scope);
  GapObserver gaps = evaluation.gap_observer();
  StripObserver strip(activity, range.scope.window);
  sweep(ops, range.scope, activity, gaps, strip);
  const Activity figures = activity.activity();
  RangeResult result{range.kind, range.name, range.instances,
                     describe(evaluation, range, figures, gaps.gaps()), range.issuers};
  result.bare = bare_wall_of(trace, range);
  if (result.bare) result.scope.measures.push_back({&bare_wall, value_of(*result.bare)});
  if (range.kind == ScopeKind::steady) {
    const Interval window = range.scope.window;
    result.steady = {*evaluation.context.steady, rest_before(trace, window.start),
                     rest_after(trace, window.end)};
  }
  result.strip = strip.strip();
  result.engines = engines_of(figures);
  const auto instances = [&] {
    if (!range.ranges.empty()) return instances_of(ops, trace.calls, range.scope, range.ranges);
    if (!range.borders.empty()) return instances_between(ops, range.scope, range.borders);
    return one_instance(range.scope);
  };
  add_kernels(evaluation, range.scope, instances, result.scope);
  return result;
}

struct Loop {
  std::optional<IterationsResult> iterations;
  ScopeResult kernels;  // of the device's own scope: kernels and launches only
};

Loop evaluate_loop(const Evaluation& evaluation, const ResolvedScope& own) {
  Loop loop;
  const auto& iterations = evaluation.context.loops[own.device];
  if (iterations) {
    loop.iterations = measure_iterations(evaluation.subject, own.scope, *iterations);
  }
  const auto instances = [&] {
    return iterations ? instances_between(evaluation.device.ops, own.scope, iterations->borders)
                      : one_instance(own.scope);
  };
  add_kernels(evaluation, own.scope, instances, loop.kernels);
  return loop;
}

}  // namespace

std::optional<DeviceResult> evaluate_device(const Context& context, std::uint16_t device) {
  const ResolvedScope* own = nullptr;
  std::vector<const ResolvedScope*> ranges;
  for (const ResolvedScope& scope : context.scopes) {
    if (scope.device != device) continue;
    if (own == nullptr) {
      own = &scope;
    } else {
      ranges.push_back(&scope);
    }
  }
  if (own == nullptr) return std::nullopt;
  const Evaluation evaluation(context, context.trace.devices[device]);
  DeviceResult result;
  result.id = evaluation.device.id;
  result.name = evaluation.device.name;
  result.sought_steady = seeks_steady_state(context.options);
  // evaluate_loop() runs in parallel, because it takes as long as all other evaluations together.
  // All evaluations only read shared data.
  auto pending = std::async(std::launch::async, [&] { return evaluate_loop(evaluation, *own); });
  evaluate_own(evaluation, *own, result);
  for (const ResolvedScope* range : ranges) {
    result.ranges.push_back(evaluate_range(evaluation, *range));
  }
  result.series = series_of(evaluation.subject, own->scope, context.options.series_bins);
  Loop loop = pending.get();
  result.iterations = std::move(loop.iterations);
  result.scope.kernels = std::move(loop.kernels.kernels);
  result.scope.launches = std::move(loop.kernels.launches);
  return result;
}

const RangeResult* steady_state_of(const DeviceResult& device) {
  for (const RangeResult& range : device.ranges) {
    if (range.steady) return &range;
  }
  return nullptr;
}

const ScopeResult& judged_of(const DeviceResult& device) {
  const RangeResult* steady = steady_state_of(device);
  return steady ? steady->scope : device.scope;
}

namespace {

// Returns the name of the call that delayed a thread, and the thread's NVTX range.
std::string detail_of(const GapPart& part, const Trace& trace, const HostTimeline& host) {
  std::string detail;
  if (part.thread == no_index) return detail;
  if (part.call != no_index) detail = trace.names.text(trace.calls.name[part.call]);
  const std::uint32_t range =
      host.around_most_of(trace.calls.threads[part.thread].global_tid, part.interval).range;
  if (range != no_index) {
    if (!detail.empty()) detail += " ";
    detail += "in range '" + trace.names.text(trace.ranges[range].name) + "'";
  }
  return detail;
}

GapResult describe(const Gap& gap, const Trace& trace, const HostTimeline& host,
                   const Device& device) {
  GapResult result;
  result.interval = gap.interval;
  if (gap.next_op != no_index) {
    result.next = name_of_op(trace, device, gap.next_op);
    const std::uint32_t issue = device.ops.issue[gap.next_op];
    if (issue != no_index) {
      const std::int64_t tid = trace.calls.threads[trace.calls.thread_of(issue)].global_tid;
      result.thread = "thread " + std::to_string(tid_of(tid));
    }
  }
  for (const GapPart& part : gap.parts) {
    result.parts.push_back({part.cause, part.interval, detail_of(part, trace, host)});
  }
  return result;
}

}  // namespace

GapsResult describe_gaps(const Gaps& gaps, const Trace& trace, const HostTimeline& host,
                         const Device& device) {
  GapsResult result{gaps.count, gaps.total_ns, gaps.by_cause, {}, gaps.ends};
  for (const Gap& gap : gaps.longest) {
    result.longest.push_back(describe(gap, trace, host, device));
  }
  return result;
}

std::vector<std::pair<std::string_view, Ns>> times_of(const GapsResult& gaps) {
  std::vector<std::pair<std::string_view, Ns>> times;
  if (!gaps.by_cause) return times;
  for (std::size_t cause = 0; cause < cause_count; ++cause) {
    const Ns ns = (*gaps.by_cause)[cause];
    if (ns > 0) times.emplace_back(code_of(static_cast<Cause>(cause)), ns);
  }
  return times;
}

}  // namespace lapscope::analyzer

#include "analyzer/analysis/judge.h"

#include <algorithm>
#include <future>
#include <map>

#include "analyzer/analysis/activity_strip.h"
#include "analyzer/analysis/describe_gaps.h"
#include "analyzer/analysis/device_tables.h"
#include "analyzer/analysis/kernel_table.h"
#include "analyzer/analysis/launch_order.h"
#include "analyzer/analysis/op_groups.h"
#include "analyzer/analysis/series.h"
#include "analyzer/analysis/steady_state.h"
#include "analyzer/analysis/stream_tables.h"
#include "analyzer/measures/collectives.h"
#include "analyzer/measures/measure.h"
#include "analyzer/model/name_pattern.h"
#include "analyzer/scope/profiler_brackets.h"
#include "analyzer/scope/sweep.h"

namespace lapscope::analyzer {
namespace {

// A device while it is judged.
struct Judging {
  Judging(const Context& c, const Device& d)
      : context(c), device(d), subject(d, c.communication), holds(c.trace, d) {}

  GapObserver gap_observer() const {
    return {context.trace, device, context.host, holds, context.options.gaps};
  }

  const Context& context;
  const Device& device;
  const Subject subject;
  const StreamHolds holds;
};

ScopeResult describe(const Judging& judging, const Activity& activity, const Gaps& gaps) {
  ScopeResult result;
  result.window = activity.window;
  result.ops = activity.ops;
  for (const Measure* measure : measures()) {
    result.measures.push_back({measure, measure->compute(activity)});
  }
  result.states = state_table(activity);
  result.gaps = describe_gaps(gaps, judging.context.trace, judging.device);
  return result;
}

// In a sweep of its own: few ask for it. `instances` is a function that gives them.
template <class F>
void add_kernels(const Judging& judging, const Scope& scope, F&& instances, ScopeResult& result) {
  if (!judging.context.options.kernels) return;
  const Trace& trace = judging.context.trace;
  result.kernels = kernels_of(trace, judging.device, scope);
  result.launches = launch_order(trace, judging.device, scope, instances());
}

template <class F>
ScopeResult judge(const Judging& judging, const Scope& scope, F&& instances) {
  ActivityObserver activity(judging.subject, scope);
  GapObserver gaps = judging.gap_observer();
  sweep(judging.device.ops, scope, activity, gaps);
  ScopeResult result = describe(judging, activity.activity(), gaps.gaps());
  add_kernels(judging, scope, instances, result);
  return result;
}

// The device's own scope, with all tables, in one sweep.
void judge_whole(const Judging& judging, const Scope& scope, DeviceResult& result) {
  const Trace& trace = judging.context.trace;
  result.streams = streams_of(judging.device, scope);
  ActivityObserver activity(judging.subject, scope);
  GapObserver gaps = judging.gap_observer();
  CollectiveObserver collectives(judging.subject, activity);
  StreamOverlapObserver streams(judging.device, result.streams);
  StripObserver strip(activity, scope.window);
  sweep(judging.device.ops, scope, activity, gaps, collectives, streams, strip);
  const Activity figures = activity.activity();
  result.scope = describe(judging, figures, gaps.gaps());
  result.strip = strip.strip();
  result.engines = engines_of(figures);
  result.class_overlaps = class_overlaps_of(figures);
  result.stream_overlaps = streams.overlaps();
  result.collectives = describe_collectives(trace.names, collectives.collectives());
  result.groups = groups_of(trace, judging.device, scope);
}

// The ranges that fit the patterns, by name.
std::map<std::string, std::vector<NvtxRange>> ranges_asked_for(const Context& context) {
  std::map<std::string, std::vector<NvtxRange>> asked;
  for (const NvtxRange& range : context.trace.ranges) {
    const std::string& name = context.trace.names.text(range.name);
    const auto& patterns = context.options.ranges;
    if (std::any_of(patterns.begin(), patterns.end(),
                    [&name](const std::string& p) { return fits_pattern(name, p); })) {
      asked[name].push_back(range);
    }
  }
  return asked;
}

std::vector<RangeResult> judge_ranges(const Judging& judging) {
  const Trace& trace = judging.context.trace;
  std::vector<RangeResult> results;
  if (judging.context.options.profiler_brackets) {
    const ProfilerBrackets brackets = find_profiler_brackets(trace);
    if (const auto scope = issued_while(judging.device.ops, trace.calls, brackets.processes)) {
      results.push_back({RangeKind::profiler, std::string(profiler_brackets), brackets.count,
                         judge(judging, *scope, [&] { return one_instance(*scope); })});
    }
  }
  for (const auto& [name, instances] : ranges_asked_for(judging.context)) {
    const auto scope = issued_in(judging.device.ops, trace.calls, instances);
    if (!scope) continue;
    results.push_back({RangeKind::nvtx, name, static_cast<std::int64_t>(instances.size()),
                       judge(judging, *scope, [&] {
                         return instances_of(judging.device.ops, trace.calls, *scope, instances);
                       })});
  }
  return results;
}

std::optional<Iterations> loop_of(const Judging& judging, const Scope& scope) {
  const Context& context = judging.context;
  const std::string& pattern = context.options.iterations;
  return pattern.empty()
             ? find_iterations(context.trace, judging.device.ops, scope, context.host)
             : iterations_named(context.trace, judging.device.ops, scope, context.host, pattern);
}

// The loop that the device runs, and what depends on it.
struct Loop {
  std::optional<IterationsResult> iterations;
  ScopeResult kernels;  // of the whole scope: kernels and launches only
};

Loop judge_loop(const Judging& judging, const Scope& scope) {
  Loop loop;
  const auto iterations = loop_of(judging, scope);
  if (iterations) loop.iterations = judge_iterations(judging.subject, scope, *iterations);
  const auto instances = [&] {
    return iterations ? instances_between(judging.device.ops, scope, iterations->borders)
                      : one_instance(scope);
  };
  add_kernels(judging, scope, instances, loop.kernels);
  return loop;
}

}  // namespace

Context::Context(const Trace& read, const AnalyzeOptions& asked)
    : trace(read),
      options(asked),
      host(read),
      communication(communication_names(read.names, asked.communication)) {}

std::optional<Scope> own_scope(const Context& context, const Device& device) {
  if (context.options.window) return within(device.ops, *context.options.window);
  return whole(device.ops);
}

std::optional<Scope> scope_of(const Context& context, const Device& device, RangeKind kind,
                              const std::string& name) {
  const Trace& trace = context.trace;
  if (kind == RangeKind::profiler) {
    return issued_while(device.ops, trace.calls, find_profiler_brackets(trace).processes);
  }
  std::vector<NvtxRange> instances;
  for (const NvtxRange& range : trace.ranges) {
    if (trace.names.text(range.name) == name) instances.push_back(range);
  }
  return issued_in(device.ops, trace.calls, instances);
}

std::optional<DeviceResult> judge_device(const Context& context, const Device& device) {
  const std::optional<Scope> scope = own_scope(context, device);
  if (!scope) return std::nullopt;
  const Judging judging(context, device);
  DeviceResult result;
  result.id = device.id;
  result.name = device.name;
  // Iterations take as long as all else together, and share nothing with it but what is read.
  auto pending = std::async(std::launch::async, [&] { return judge_loop(judging, *scope); });
  judge_whole(judging, *scope, result);
  result.ranges = judge_ranges(judging);
  result.series = series_of(judging.subject, *scope, context.options.series_bins);
  Loop loop = pending.get();
  result.iterations = std::move(loop.iterations);
  result.scope.kernels = std::move(loop.kernels.kernels);
  result.scope.launches = std::move(loop.kernels.launches);
  return result;
}

}  // namespace lapscope::analyzer

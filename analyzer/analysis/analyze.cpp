#include "analyzer/analysis/analyze.h"

#include <algorithm>

#include "analyzer/analysis/evaluate.h"
#include "analyzer/analysis/explain.h"
#include "analyzer/analysis/fitted_costs.h"
#include "analyzer/analysis/host_time_of_scope.h"
#include "analyzer/analysis/iteration_pace.h"
#include "analyzer/analysis/lengthened_kernels.h"
#include "analyzer/analysis/stats.h"
#include "analyzer/analysis/timeline.h"
#include "analyzer/iterations/range_nesting.h"
#include "analyzer/model/limits.h"
#include "analyzer/model/name_pattern.h"
#include "analyzer/model/parallel.h"
#include "analyzer/scope/profiler_brackets.h"

namespace lapscope::analyzer {
namespace {

std::vector<DeviceResult> evaluate_devices(const Context& context) {
  constexpr std::size_t most_at_once = 16;
  std::vector<std::optional<DeviceResult>> devices(context.trace.devices.size());
  in_parallel(devices.size(), most_at_once, [&](std::size_t device) {
    devices[device] = evaluate_device(context, static_cast<std::uint16_t>(device));
  });
  std::vector<DeviceResult> results;
  for (auto& device : devices) {
    if (device) results.push_back(std::move(*device));
  }
  return results;
}

HealthRow ranges_too_many(const Context& context) {
  HealthRow row{HealthKind::ranges_too_many,
                static_cast<std::int64_t>(context.not_evaluated.size()),
                {std::int64_t{limits::range_names}, std::int64_t{limits::times_in_ranges}}};
  if (!context.options.find_causes) return row;
  row.kind = HealthKind::explained_too_many;
  row.details.emplace_back(static_cast<std::int64_t>(context.options.ops_explained));
  row.details.emplace_back(std::int64_t{limits::times_explained});
  return row;
}

// Returns a health row with the reason why no scope exists for the NVTX ranges that fit `pattern`.
HealthRow absent_range(const Context& context, const std::string& pattern) {
  const auto undecided = std::ranges::find_if(context.undecided, [&](const UndecidedRange& one) {
    return fits_pattern(one.name, pattern);
  });
  if (undecided != context.undecided.end()) {
    return {HealthKind::range_undecided, undecided->ops, {pattern}};
  }
  const auto fits = [&](const NvtxRange& range) {
    return fits_pattern(context.trace.names.text(range.name), pattern);
  };
  const auto& ranges = context.trace.ranges;
  if (context.options.range_threads == RangeThreads::own && std::ranges::any_of(ranges, fits)) {
    return {HealthKind::range_of_others, 1, {pattern}};
  }
  HealthRow row{HealthKind::range_absent, 1, {pattern}};
  for (std::string& name : ranges_by_work(context.trace)) row.details.push_back(std::move(name));
  return row;
}

// Adds a health row for each requested scope or loop that does not exist.
void check_ranges(const Context& context, Report& report) {
  const auto has_range = [&context](ScopeKind kind, std::string_view pattern) {
    return std::ranges::any_of(context.scopes, [&](const ResolvedScope& scope) {
      return scope.kind == kind && fits_pattern(scope.name, pattern);
    });
  };
  const auto has_iterations = [](const DeviceResult& device) {
    return device.iterations.has_value();
  };
  if (context.options.profiler_brackets && !has_range(ScopeKind::profiler, profiler_brackets)) {
    report.health.push_back({HealthKind::no_brackets, 1});
  }
  if (!context.options.iterations.empty() && std::ranges::none_of(report.devices, has_iterations)) {
    const auto kind =
        context.options.window ? HealthKind::no_iterations_in_window : HealthKind::no_iterations;
    report.health.push_back({kind, 1, {context.options.iterations}});
  }
  if (!context.not_evaluated.empty()) report.health.push_back(ranges_too_many(context));
  for (const std::string& pattern : context.options.ranges) {
    if (has_range(ScopeKind::nvtx, pattern)) continue;
    const auto fits_name = [&pattern](const std::string& name) {
      return fits_pattern(name, pattern);
    };
    if (std::ranges::any_of(context.not_evaluated, fits_name)) continue;
    report.health.push_back(absent_range(context, pattern));
  }
}

// Adds a health row if the trace has bare runs (runs without CUPTI), but no scope consists of NVTX
// ranges. Bare runs measure only NVTX ranges, so there is nothing to compare with them.
void check_bare_runs(const Context& context, Report& report) {
  const auto is_range = [](const ResolvedScope& scope) { return !scope.ranges.empty(); };
  if (context.trace.runs.empty() || std::ranges::any_of(context.scopes, is_range)) {
    return;
  }
  report.health.push_back({HealthKind::bare_not_compared, 1});
}

}  // namespace

std::vector<std::string> ranges_by_work(const Trace& trace) {
  const HostTimeline host(trace);
  const std::vector<Ns> by_range =
      work_by_range(trace, RangeNesting(trace, host, RangeThreads::helpers));
  RangePatterns patterns(trace);
  std::map<std::string, Ns> work;
  for (std::uint32_t range = 0; range < by_range.size(); ++range) {
    if (by_range[range] > 0) work[patterns.of(range)] += by_range[range];
  }
  std::vector<std::string> names;
  for (const auto& [name, ns] : work) names.push_back(name);
  std::ranges::stable_sort(
      names, [&work](const std::string& a, const std::string& b) { return work[a] > work[b]; });
  return names;
}

namespace {

HealthRow no_gpu_work(const Trace& trace, const AnalyzeOptions& options) {
  if (options.window) return {HealthKind::empty_window};
  const std::vector<CallKind>& kinds = trace.calls.kind;
  const auto issuing = std::ranges::count_if(kinds, [](CallKind kind) {
    return kind == CallKind::launch || kind == CallKind::graph_launch ||
           kind == CallKind::copy_async || kind == CallKind::copy_blocking ||
           kind == CallKind::memset;
  });
  if (issuing > 0) return {trace.facts.lacks.gpu_records, issuing};
  if (!kinds.empty()) return {HealthKind::no_work_issued};
  return {trace.facts.knows.cuda ? HealthKind::no_ops : trace.facts.lacks.cuda};
}

}  // namespace

Ns first_op_of(const Trace& trace) {
  std::optional<Ns> first;
  for (const Device& device : trace.devices) {
    if (device.ops.size() == 0) continue;
    first = std::min(first.value_or(device.ops.start[0]), device.ops.start[0]);
  }
  return first.value_or(0);
}

Report analyze(const Trace& trace, const AnalyzeOptions& options) {
  Report report;
  report.first_op = first_op_of(trace);
  report.window = options.window;
  report.tool_version = LAPSCOPE_VERSION;
  report.trace = trace.facts;
  report.health = trace.health;
  if (auto row = lengthened_kernels(trace)) report.health.push_back(std::move(*row));
  if (auto row = iteration_pace(trace)) report.health.push_back(std::move(*row));
  const Context context(trace, options, fitted_costs(trace, options));
  report.devices = evaluate_devices(context);
  const HostTimes host_times(context);
  host_times.add_to(report.devices);
  if (options.find_causes && !hides_causes(trace.health))
    explain(context, host_times, report.devices);
  if (options.stats) report.stats = stats_of(context);
  if (report.devices.empty()) report.health.push_back(no_gpu_work(trace, options));
  check_ranges(context, report);
  check_bare_runs(context, report);
  if (options.timeline) {
    begin_part(AnalysisPart::drawing, 0, options);
    report.timeline =
        timeline_of(trace, context.communication, report.devices, host_times.partition());
  }
  report.trust = is_any_error(report.health) ? Trust::inconclusive : Trust::sound;
  return report;
}

}  // namespace lapscope::analyzer

#include "analyzer/analysis/analyze.h"

#include <algorithm>

#include "analyzer/analysis/evaluate.h"
#include "analyzer/analysis/explain.h"
#include "analyzer/analysis/fitted_costs.h"
#include "analyzer/analysis/lengthened_kernels.h"
#include "analyzer/analysis/timeline.h"
#include "analyzer/iterations/range_nesting.h"
#include "analyzer/model/limits.h"
#include "analyzer/model/name_pattern.h"
#include "analyzer/model/parallel.h"
#include "analyzer/scope/profiler_brackets.h"

namespace lapscope::analyzer {
namespace {

// Devices have nothing to do with each other.
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
  const auto count = static_cast<std::int64_t>(context.not_evaluated.size());
  std::string message = std::to_string(count) +
                        " names of NVTX ranges that were asked for are not evaluated: no more "
                        "than " +
                        std::to_string(limits::range_names) + " are, and no more than hold " +
                        std::to_string(limits::times_in_ranges) +
                        " times the ops of the trace together, as ranges in each other do.";
  if (!context.options.find_causes) {
    return {"ranges-too-many", Severity::error, count, message, "Ask for fewer ranges (--range)."};
  }
  message += " With causes, no more are than last as long as " +
             std::to_string(context.options.ops_explained) + " ops together, or " +
             std::to_string(limits::times_explained) + " times those of the trace.";
  return {"ranges-too-many", Severity::error, count, message,
          "Ask for fewer ranges (--range), or leave causes out (--no-causes)."};
}

// What was asked for and is not there is no result, and not a good one either.
void check_ranges(const Context& context, Report& report) {
  const auto has_range = [&context](ScopeKind kind, std::string_view pattern) {
    return std::any_of(context.scopes.begin(), context.scopes.end(),
                       [&](const ResolvedScope& scope) {
                         return scope.kind == kind && fits_pattern(scope.name, pattern);
                       });
  };
  const auto has_iterations = [](const DeviceResult& device) {
    return device.iterations.has_value();
  };
  if (context.options.profiler_brackets && !has_range(ScopeKind::profiler, profiler_brackets)) {
    report.health.push_back({"range-absent", Severity::error, 1,
                             "No GPU work was issued between cudaProfilerStart and "
                             "cudaProfilerStop.",
                             "Call them around the part to evaluate, or leave the option out."});
  }
  if (!context.options.iterations.empty() &&
      std::none_of(report.devices.begin(), report.devices.end(), has_iterations)) {
    report.health.push_back({"range-absent", Severity::error, 1,
                             "Fewer than four NVTX ranges that fit '" + context.options.iterations +
                                 "' caused GPU work.",
                             "Check the name, or leave it out to have iterations found."});
  }
  if (!context.not_evaluated.empty()) report.health.push_back(ranges_too_many(context));
  for (const std::string& pattern : context.options.ranges) {
    if (has_range(ScopeKind::nvtx, pattern)) continue;
    const auto fits_name = [&pattern](const std::string& name) {
      return fits_pattern(name, pattern);
    };
    if (std::any_of(context.not_evaluated.begin(), context.not_evaluated.end(), fits_name))
      continue;
    const auto undecided = std::find_if(
        context.undecided.begin(), context.undecided.end(),
        [&](const UndecidedRange& range) { return fits_pattern(range.name, pattern); });
    if (undecided != context.undecided.end()) {
      report.health.push_back(
          {"range-absent", Severity::error, undecided->ops,
           "It is unknown whether GPU work belongs to the NVTX ranges that fit '" + pattern +
               "': all of it was issued by other threads, in ranges of their own.",
           "Name the ranges of those threads, or open the range in them, too."});
      continue;
    }
    const bool is_own = context.options.range_threads == RangeThreads::own;
    const auto fits = [&](const NvtxRange& range) {
      return fits_pattern(context.trace.names.text(range.name), pattern);
    };
    if (is_own && std::any_of(context.trace.ranges.begin(), context.trace.ranges.end(), fits)) {
      report.health.push_back(
          {"range-absent", Severity::error, 1,
           "No thread that opened an NVTX range that fits '" + pattern + "' issued GPU work in it.",
           "Count the work of helper threads, too (--range-threads helpers)."});
      continue;
    }
    const std::string there = ranges_by_work(context.trace);
    report.health.push_back({"range-absent", Severity::error, 1,
                             "No NVTX range that fits '" + pattern + "' caused GPU work.",
                             there.empty() ? "No range did; those opened before the first use of "
                                             "CUDA are not recorded."
                                           : "Ranges by GPU work: " + there + "."});
  }
}

// Bare runs tell what ranges take, and nothing else.
void check_bare_runs(const Context& context, Report& report) {
  const auto is_range = [](const ResolvedScope& scope) { return !scope.ranges.empty(); };
  if (context.trace.runs.empty() ||
      std::any_of(context.scopes.begin(), context.scopes.end(), is_range)) {
    return;
  }
  report.health.push_back(
      {"bare-not-compared", Severity::info, 1,
       "Bare runs were made, but no NVTX range is evaluated that could be compared.",
       "Name one (--range)."});
}

}  // namespace

std::string ranges_by_work(const Trace& trace) {
  const HostTimeline host(trace);
  const std::vector<std::int64_t> by_range =
      work_by_range(trace, RangeNesting(trace, host, RangeThreads::helpers));
  RangePatterns patterns(trace);
  std::map<std::string, std::int64_t> work;
  for (std::uint32_t range = 0; range < by_range.size(); ++range) {
    if (by_range[range] > 0) work[patterns.of(range)] += by_range[range];
  }
  std::vector<std::pair<std::int64_t, std::string>> most;
  for (const auto& [name, ns] : work) most.emplace_back(-ns, name);
  std::sort(most.begin(), most.end());
  constexpr std::size_t listed = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(listed, most.size()); ++i) {
    text += (i == 0 ? "'" : ", '") + most[i].second + "'";
  }
  if (most.size() > listed) text += " and " + std::to_string(most.size() - listed) + " more";
  return text;
}

namespace {

// Why nothing can be evaluated, as far as the calls tell.
HealthRow no_gpu_work(const Trace& trace, const AnalyzeOptions& options) {
  HealthRow row{"no-gpu-work", Severity::error, 0, "", ""};
  if (options.window) {
    row.message = "No kernel, copy or memset reaches into the window.";
    row.remedy = "Give a window in which the GPU works.";
    return row;
  }
  const std::vector<CallKind>& kinds = trace.calls.kind;
  const auto issuing = std::count_if(kinds.begin(), kinds.end(), [](CallKind kind) {
    return kind == CallKind::launch || kind == CallKind::graph_launch ||
           kind == CallKind::copy_async || kind == CallKind::copy_blocking ||
           kind == CallKind::memset;
  });
  if (issuing > 0) {
    row.count = issuing;
    row.message = "The trace has " + std::to_string(issuing) +
                  (issuing == 1 ? " call that launches or copies, and nothing of what it did"
                                : " calls that launch or copy, and nothing of what they did") +
                  " on the GPU: its records were lost, or the calls failed.";
    row.remedy = trace.facts.remedies.gpu_records;
  } else if (!trace.facts.knows.cuda && kinds.empty()) {
    row.message =
        "The export has no calls of CUDA and no work of a GPU: CUDA was not traced, or "
        "the program did not use it.";
    row.remedy = trace.facts.remedies.cuda;
  } else if (!kinds.empty()) {
    row.message =
        "The trace has calls of CUDA, none of which launches or copies: the program had "
        "no work for the GPU, or a call before that failed.";
    row.remedy = "Check what its calls of CUDA return, and record a run that uses the GPU.";
  } else {
    row.message = "The trace holds no kernel, copy or memset that could be evaluated.";
    row.remedy = "Record a run in which the program uses the GPU.";
  }
  return row;
}

}  // namespace

std::int64_t first_op_of(const Trace& trace) {
  std::optional<std::int64_t> first;
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
  const Context context(trace, options, fitted_costs(trace, options));
  report.devices = evaluate_devices(context);
  if (options.find_causes) explain(context, report.devices);
  if (report.devices.empty()) report.health.push_back(no_gpu_work(trace, options));
  check_ranges(context, report);
  check_bare_runs(context, report);
  const bool unsound =
      std::any_of(report.health.begin(), report.health.end(),
                  [](const HealthRow& row) { return row.severity == Severity::error; });
  if (options.timeline) {
    begin_part(AnalysisPart::drawing, 0, options);
    report.timeline = timeline_of(trace, report.devices);
  }
  report.trust = unsound ? Trust::inconclusive : Trust::sound;
  return report;
}

}  // namespace lapscope::analyzer

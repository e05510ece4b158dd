#include "analyzer/analysis/analyze.h"

#include <algorithm>
#include <map>

#include "analyzer/analysis/describe_gaps.h"
#include "analyzer/analysis/device_tables.h"
#include "analyzer/analysis/name_pattern.h"

namespace lapscope::analyzer {
namespace {

// Everything that the judgements of one trace share.
struct Context {
  const Trace& trace;
  const AnalyzeOptions& options;
  HostTimeline host;
};

ScopeResult judge(const Context& context, const Device& device, const Scope& scope,
                  const Activity& activity) {
  ScopeResult result;
  result.window = scope.window;
  result.ops = static_cast<std::int64_t>(scope.ops.size());
  for (const Measure* measure : measures()) {
    result.measures.push_back({measure, measure->compute(activity)});
  }
  result.states = state_table(activity);
  result.gaps = describe_gaps(
      find_gaps(context.trace, device, scope, activity, context.host, context.options.gaps),
      context.trace, device);
  return result;
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

std::vector<RangeResult> judge_ranges(const Context& context, const Device& device) {
  std::vector<RangeResult> results;
  for (const auto& [name, instances] : ranges_asked_for(context)) {
    const auto scope = issued_in(device.ops, context.trace.calls, instances);
    if (!scope) continue;
    const Activity activity = activity_of(device, context.trace.names, *scope);
    results.push_back({name, static_cast<std::int64_t>(instances.size()),
                       judge(context, device, *scope, activity)});
  }
  return results;
}

std::optional<DeviceResult> judge_device(const Context& context, const Device& device) {
  const std::optional<Scope> scope = context.options.window
                                         ? within(device.ops, *context.options.window)
                                         : std::optional<Scope>(whole(device.ops));
  if (!scope) return std::nullopt;
  const Activity activity = activity_of(device, context.trace.names, *scope);
  DeviceResult result;
  result.id = device.id;
  result.name = device.name;
  result.scope = judge(context, device, *scope, activity);
  result.engines = engines_of(device, *scope, activity);
  StreamTables streams = streams_of(device, *scope);
  result.streams = std::move(streams.streams);
  result.stream_overlaps = std::move(streams.overlaps);
  result.groups = groups_of(context.trace, device, *scope);
  result.ranges = judge_ranges(context, device);
  return result;
}

// What was asked for and is not there is no result, and not a good one either.
void check_ranges(const Context& context, Report& report) {
  for (const std::string& pattern : context.options.ranges) {
    const bool found =
        std::any_of(report.devices.begin(), report.devices.end(), [&](const DeviceResult& device) {
          return std::any_of(
              device.ranges.begin(), device.ranges.end(),
              [&](const RangeResult& range) { return fits_pattern(range.name, pattern); });
        });
    if (found) continue;
    report.health.push_back({"range-absent", Severity::error, 1,
                             "No NVTX range that fits '" + pattern + "' caused GPU work.",
                             "Check the name; ranges opened before the first use of CUDA are not "
                             "recorded."});
  }
}

}  // namespace

Report analyze(const Trace& trace, const AnalyzeOptions& options) {
  Report report;
  report.tool_version = LAPSCOPE_VERSION;
  report.trace = trace.facts;
  report.health = trace.health;
  const Context context{trace, options, HostTimeline(trace)};
  for (const Device& device : trace.devices) {
    if (device.ops.empty()) continue;
    if (auto result = judge_device(context, device)) report.devices.push_back(std::move(*result));
  }
  if (report.devices.empty()) {
    report.health.push_back({"no-gpu-work", Severity::error, 0,
                             options.window
                                 ? "No kernel, copy or memset reaches into the window."
                                 : "The trace holds no kernel, copy or memset that could "
                                   "be judged.",
                             "Record a run in which the program uses the GPU."});
  }
  check_ranges(context, report);
  const bool unsound =
      std::any_of(report.health.begin(), report.health.end(),
                  [](const HealthRow& row) { return row.severity == Severity::error; });
  report.trust = unsound ? Trust::inconclusive : Trust::sound;
  return report;
}

}  // namespace lapscope::analyzer

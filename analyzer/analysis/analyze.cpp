#include "analyzer/analysis/analyze.h"

#include <algorithm>
#include <array>
#include <map>

namespace lapscope::analyzer {
namespace {

std::vector<EngineResult> engines_of(const Ops& ops, const Activity& activity) {
  std::array<std::int64_t, all_engines.size()> counts{};
  for (const Engine engine : ops.engine) ++counts[static_cast<std::size_t>(engine)];
  std::vector<EngineResult> results;
  for (const Engine engine : all_engines) {
    const std::int64_t count = counts[static_cast<std::size_t>(engine)];
    if (count > 0) results.push_back({engine, activity.of(engine).length(), count});
  }
  return results;
}

std::vector<StreamResult> streams_of(const Device& device) {
  std::map<std::uint32_t, std::vector<Interval>> by_stream;
  for (std::size_t op = 0; op < device.ops.size(); ++op) {
    by_stream[device.ops.stream[op]].push_back(device.ops.interval(op));
  }
  std::vector<StreamResult> results;
  for (auto& [id, intervals] : by_stream) {
    StreamResult result;
    const auto known = std::find_if(device.streams.begin(), device.streams.end(),
                                    [id = id](const Stream& stream) { return stream.id == id; });
    if (known != device.streams.end()) result.stream = *known;
    result.stream.id = id;
    result.ops = static_cast<std::int64_t>(intervals.size());
    result.busy_ns = IntervalSet::union_of(std::move(intervals)).length();
    results.push_back(result);
  }
  return results;
}

DeviceResult analyze_device(const Device& device) {
  const Activity activity = activity_of(device.ops);
  DeviceResult result;
  result.id = device.id;
  result.name = device.name;
  result.window = activity.window;
  result.ops = static_cast<std::int64_t>(device.ops.size());
  for (const Measure* measure : measures()) {
    result.measures.push_back({measure, measure->compute(activity)});
  }
  result.states = state_table(activity);
  result.engines = engines_of(device.ops, activity);
  result.streams = streams_of(device);
  return result;
}

}  // namespace

Report analyze(const Trace& trace) {
  Report report;
  report.tool_version = LAPSCOPE_VERSION;
  report.trace = trace.facts;
  report.health = trace.health;
  for (const Device& device : trace.devices) {
    if (!device.ops.empty()) report.devices.push_back(analyze_device(device));
  }
  if (report.devices.empty()) {
    report.health.push_back({"no-gpu-work", Severity::error, 0,
                             "The trace holds no kernel, copy or memset that could be judged.",
                             "Record a run in which the program uses the GPU."});
  }
  const bool unsound =
      std::any_of(report.health.begin(), report.health.end(),
                  [](const HealthRow& row) { return row.severity == Severity::error; });
  report.trust = unsound ? Trust::inconclusive : Trust::sound;
  return report;
}

}  // namespace lapscope::analyzer

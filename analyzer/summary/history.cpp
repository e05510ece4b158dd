#include "analyzer/summary/history.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

const ScopeSummary* scope_of(const DeviceSummary& device, const std::string& range) {
  return range.empty() ? judged_of(device) : find_scope(device, ScopeKind::nvtx, range);
}

HistorySeries& series_of(std::vector<HistorySeries>& all, const DeviceSummary& device,
                         const ScopeSummary& scope) {
  const auto is_it = [&](const HistorySeries& series) {
    return series.device == device.id && series.kind == scope.kind && series.scope == scope.name;
  };
  const auto found = std::ranges::find_if(all, is_it);
  if (found != all.end()) return *found;
  return all.emplace_back(HistorySeries{device.id, device.name, scope.kind, scope.name, {}});
}

void add(const RunSummary& run, const std::string& label, const DeviceSummary& device,
         const ScopeSummary& scope, const Measure& measure, std::vector<HistorySeries>& all) {
  HistorySeries& series = series_of(all, device, scope);
  series.device_name = device.name;
  if (series.points.empty() || series.points.back().label != label) {
    series.points.push_back({label, run.trace.created, {}, 0});
  }
  HistoryPoint& point = series.points.back();
  point.created = std::min(point.created, run.trace.created);
  if (run.trust == Trust::inconclusive || scope.impossible_ops > 0) {
    ++point.left_out;
    return;
  }
  const MeasureSummary* const found = find(scope, measure);
  if (found && found->value) point.values.push_back(*found->value);
}

}  // namespace

double HistoryPoint::median() const { return values[(values.size() - 1) / 2]; }

std::vector<HistorySeries> history_of(std::span<const HistoryRuns> labels, const Measure& measure,
                                      const std::string& range) {
  std::vector<HistorySeries> all;
  for (const HistoryRuns& label : labels) {
    for (const RunSummary& run : label.runs) {
      for (const DeviceSummary& device : run.devices) {
        if (const ScopeSummary* scope = scope_of(device, range)) {
          add(run, label.label, device, *scope, measure, all);
        }
      }
    }
  }
  for (HistorySeries& series : all) {
    for (HistoryPoint& point : series.points) std::ranges::sort(point.values);
    std::ranges::stable_sort(series.points, {}, &HistoryPoint::created);
  }
  std::ranges::stable_sort(all, {}, &HistorySeries::device);
  return all;
}

}  // namespace lapscope::analyzer

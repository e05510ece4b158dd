#include "analyzer/summary/history.h"

#include <algorithm>
#include <utility>

namespace lapscope::analyzer {
namespace {

const ScopeSummary* scope_of(const DeviceSummary& device, const std::string& range) {
  return range.empty() ? judged_of(device) : find_scope(device, ScopeKind::nvtx, range);
}

struct GrowingSeries {
  HistorySeries series;
  const ScopeSummary* first = nullptr;  // the scope of the first run
};

// Returns the series of a scope, and adds it if there is none. Scopes that `diff` would not compare
// have different series.
HistorySeries& series_of(std::vector<GrowingSeries>& all, const DeviceSummary& device,
                         const ScopeSummary& scope) {
  const auto is_it = [&](const GrowingSeries& one) {
    const HistorySeries& series = one.series;
    return series.device == device.id && series.device_name == device.name &&
           series.kind == scope.kind && series.scope == scope.name && are_alike(*one.first, scope);
  };
  const auto found = std::ranges::find_if(all, is_it);
  if (found != all.end()) return found->series;
  return all
      .emplace_back(GrowingSeries{
          {device.id, device.name, scope.kind, scope.name, scope.words.scope, {}}, &scope})
      .series;
}

void add(const RunSummary& run, const std::string& label, const DeviceSummary& device,
         const ScopeSummary& scope, const Measure& measure, std::vector<GrowingSeries>& all) {
  HistorySeries& series = series_of(all, device, scope);
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
  std::vector<GrowingSeries> growing;
  for (const HistoryRuns& label : labels) {
    for (const RunSummary& run : label.runs) {
      for (const DeviceSummary& device : run.devices) {
        if (const ScopeSummary* scope = scope_of(device, range)) {
          add(run, label.label, device, *scope, measure, growing);
        }
      }
    }
  }
  std::vector<HistorySeries> all;
  for (GrowingSeries& one : growing) all.push_back(std::move(one.series));
  for (HistorySeries& series : all) {
    for (HistoryPoint& point : series.points) std::ranges::sort(point.values);
    std::ranges::stable_sort(series.points, {}, &HistoryPoint::created);
  }
  std::ranges::stable_sort(all, {}, &HistorySeries::device);
  return all;
}

}  // namespace lapscope::analyzer

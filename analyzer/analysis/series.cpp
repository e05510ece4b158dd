#include "analyzer/analysis/series.h"

#include <algorithm>

#include "analyzer/measures/measure.h"
#include "analyzer/scope/tiles.h"

namespace lapscope::analyzer {

std::vector<Value> values_of(const Activity& activity) {
  std::vector<Value> values;
  for (const Measure* measure : measures()) values.push_back(measure->compute(activity));
  return values;
}

std::vector<SeriesBin> series_of(const Subject& subject, const Scope& scope, std::int64_t bins) {
  bins = std::min(bins, scope.window.length());
  if (bins <= 0) return {};
  const std::vector<std::int64_t> borders = equal_borders(scope.window, bins);
  std::vector<SeriesBin> series;
  for_each_tile(subject.device.ops, scope, borders, [&](const Scope& tile) {
    const Activity activity = activity_of(subject, tile);
    series.push_back({tile.window, activity.ops, values_of(activity)});
  });
  return series;
}

}  // namespace lapscope::analyzer

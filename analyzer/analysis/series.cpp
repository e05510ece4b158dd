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
  const std::int64_t length = scope.window.length();
  bins = std::min(bins, length);
  if (bins <= 0) return {};
  std::vector<std::int64_t> borders;
  for (std::int64_t bin = 0; bin <= bins; ++bin) {
    // length * bin / bins without the product leaving 64 bits
    borders.push_back(scope.window.start + length / bins * bin + length % bins * bin / bins);
  }
  std::vector<SeriesBin> series;
  for_each_tile(subject.device.ops, scope, borders, [&](const Scope& tile) {
    const Activity activity = activity_of(subject, tile);
    series.push_back({tile.window, activity.ops, values_of(activity)});
  });
  return series;
}

}  // namespace lapscope::analyzer

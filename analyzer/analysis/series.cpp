#include "analyzer/analysis/series.h"

#include <algorithm>
#include <span>

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

namespace {

double number_of(const Value& value) {
  if (const auto* ns = std::get_if<Nanoseconds>(&value)) return static_cast<double>(ns->count);
  return std::get<Ratio>(value).value();
}

Spread spread_of(const Measure* measure, std::vector<double> values) {
  Spread spread;
  spread.measure = measure;
  spread.defined = static_cast<std::int64_t>(values.size());
  if (values.empty()) return spread;
  const auto place = [&values](std::size_t quarters) {
    return values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * quarters / 4);
  };
  // After each, what lies before the place is not greater, and what lies after it not less.
  std::nth_element(values.begin(), place(2), values.end());
  std::nth_element(values.begin(), place(1), place(2));
  if (place(3) > place(2)) std::nth_element(std::next(place(2)), place(3), values.end());
  spread.least = *std::min_element(values.begin(), std::next(place(1)));
  spread.quartile1 = *place(1);
  spread.median = *place(2);
  spread.quartile3 = *place(3);
  spread.most = *std::max_element(place(3), values.end());
  return spread;
}

// The spread of some measures over all iterations but the first and the last.
std::vector<Spread> spreads_of(std::span<const Measure* const> group, const Subject& subject,
                               const Scope& scope, const Iterations& iterations) {
  std::vector<std::vector<double>> values(group.size());
  for (std::vector<double>& column : values) column.reserve(iterations.ops.size());
  const auto borders = std::span(iterations.borders).subspan(1, iterations.borders.size() - 2);
  for_each_tile(subject.device.ops, scope, borders, [&](const Scope& tile) {
    const Activity activity = activity_of(subject, tile);
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Value value = group[i]->compute(activity);
      if (!std::holds_alternative<Undefined>(value)) values[i].push_back(number_of(value));
    }
  });
  std::vector<Spread> spreads;
  for (std::size_t i = 0; i < group.size(); ++i) {
    spreads.push_back(spread_of(group[i], std::move(values[i])));
  }
  return spreads;
}

std::uint32_t median_of(std::vector<std::uint32_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The measures of the first iteration; empty when it takes no time.
std::vector<Value> first_of(const Subject& subject, const Scope& scope,
                            const Iterations& iterations) {
  std::vector<Value> first;
  const auto borders = std::span(iterations.borders).first(2);
  for_each_tile(subject.device.ops, scope, borders,
                [&](const Scope& tile) { first = values_of(activity_of(subject, tile)); });
  return first;
}

}  // namespace

IterationsResult measure_iterations(const Subject& subject, const Scope& scope,
                                    const Iterations& iterations) {
  IterationsResult result;
  result.source = iterations.source;
  result.count = static_cast<std::int64_t>(iterations.ops.size());
  result.ops_per_iteration = median_of(iterations.ops);
  result.first = first_of(subject, scope, iterations);

  // The values of all iterations are needed at once, those of all measures are not: as many as take
  // 8 bytes an op, so that short iterations cost time and not memory.
  const std::size_t at_once =
      std::max<std::size_t>(1, scope.ops.size() / std::max<std::size_t>(1, iterations.ops.size()));
  for (std::size_t from = 0; from < measures().size(); from += at_once) {
    const auto group = measures().subspan(from, std::min(at_once, measures().size() - from));
    const auto spreads = spreads_of(group, subject, scope, iterations);
    result.steady.insert(result.steady.end(), spreads.begin(), spreads.end());
  }
  return result;
}

}  // namespace lapscope::analyzer

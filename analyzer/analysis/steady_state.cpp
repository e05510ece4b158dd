#include "analyzer/analysis/steady_state.h"

#include <algorithm>

#include "analyzer/analysis/series.h"
#include "analyzer/measures/measure.h"
#include "analyzer/scope/tiles.h"

namespace lapscope::analyzer {
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
  const auto at = [&values](std::size_t quarters) {
    const auto nth =
        values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * quarters / 4);
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
  };
  spread.least = at(0);
  spread.quartile1 = at(1);
  spread.median = at(2);
  spread.quartile3 = at(3);
  spread.most = at(4);
  return spread;
}

}  // namespace

IterationsResult judge_iterations(const Subject& subject, const Scope& scope,
                                  const Iterations& iterations) {
  IterationsResult result;
  result.source = iterations.source;
  result.count = static_cast<std::int64_t>(iterations.ops.size());
  std::vector<std::int64_t> ops = iterations.ops;
  std::sort(ops.begin(), ops.end());
  result.ops_per_iteration = ops[(ops.size() - 1) / 2];

  std::vector<std::vector<double>> steady(measures().size());
  for (std::vector<double>& values : steady) values.reserve(iterations.ops.size());
  const std::int64_t last = iterations.borders[iterations.borders.size() - 2];
  for_each_tile(subject.device.ops, scope, iterations.borders, [&](const Scope& tile) {
    const std::vector<Value> values = values_of(activity_of(subject, tile));
    if (result.first.empty()) {
      result.first = values;
      return;
    }
    if (tile.window.start == last) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::holds_alternative<Undefined>(values[i])) steady[i].push_back(number_of(values[i]));
    }
  });
  for (std::size_t i = 0; i < steady.size(); ++i) {
    result.steady.push_back(spread_of(measures()[i], std::move(steady[i])));
  }
  return result;
}

}  // namespace lapscope::analyzer

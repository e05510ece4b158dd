#include "analyzer/analysis/series.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <span>
#include <thread>

#include "analyzer/measures/measure.h"
#include "analyzer/scope/sweep.h"
#include "analyzer/scope/tiles.h"

namespace lapscope::analyzer {

std::vector<Value> values_of(const Activity& activity) {
  std::vector<Value> values;
  for (const Measure* measure : measures()) values.push_back(measure->compute(activity));
  return values;
}

namespace {

// Calls f(activity) with each tile of a scope.
void for_each_activity(const Subject& subject, const Scope& scope,
                       std::span<const std::int64_t> borders, auto&& f) {
  ActivityObserver observer(subject, scope);
  for_each_tile(subject.device.ops, scope, borders, [&](const Scope& tile) {
    observer.begin_next(tile);
    sweep(subject.device.ops, tile, observer);
    f(observer.activity());
  });
}

}  // namespace

std::vector<SeriesBin> series_of(const Subject& subject, const Scope& scope, std::int64_t bins) {
  bins = std::min(bins, scope.window.length());
  if (bins <= 0) return {};
  const std::vector<std::int64_t> borders = equal_borders(scope.window, bins);
  std::vector<SeriesBin> series;
  for_each_activity(subject, scope, borders, [&](const Activity& activity) {
    series.push_back({activity.window, activity.ops, values_of(activity)});
  });
  return series;
}

namespace {

double number_of(const Value& value) {
  if (const auto* ns = std::get_if<Nanoseconds>(&value)) return static_cast<double>(ns->count);
  return std::get<Ratio>(value).value();
}

// Of values in any order, which it changes.
void set_quartiles(Spread& spread, std::vector<double>& values) {
  const auto place = [&values](std::size_t quarters) {
    return values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * quarters / 4);
  };
  // After each, what lies before the place is not greater, and what lies after it not less.
  std::nth_element(values.begin(), place(2), values.end());
  std::nth_element(values.begin(), place(1), place(2));
  if (place(3) > place(2)) std::nth_element(std::next(place(2)), place(3), values.end());
  spread.quartile1 = *place(1);
  spread.median = *place(2);
  spread.quartile3 = *place(3);
}

// Calls f(part, i, activity) with the i-th of all iterations but the first and the last. Threads
// share them: each takes a part, and goes through it in order.
class SteadyIterations {
 public:
  SteadyIterations(const Subject& subject, const Scope& scope, const Iterations& iterations)
      : subject_(subject),
        scope_(scope),
        borders_(std::span(iterations.borders).subspan(1, iterations.borders.size() - 2)),
        parts_(std::clamp<std::size_t>(
            size() / worth_a_thread, 1,
            std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads))) {}

  std::size_t size() const { return borders_.empty() ? 0 : borders_.size() - 1; }
  std::size_t parts() const { return parts_; }

  void for_each(const auto& f) const {
    if (size() == 0) return;
    const auto run = [&](std::size_t part) {
      const std::size_t first = size() * part / parts_;
      const std::size_t last = size() * (part + 1) / parts_;
      std::size_t i = first;
      for_each_activity(subject_, scope_, borders_.subspan(first, last - first + 1),
                        [&](const Activity& activity) { f(part, i++, activity); });
    };
    std::vector<std::future<void>> others;
    for (std::size_t part = 1; part < parts_; ++part) {
      others.push_back(std::async(std::launch::async, run, part));
    }
    run(0);
    for (auto& other : others) other.get();
  }

 private:
  static constexpr std::size_t worth_a_thread = 4096;
  static constexpr std::size_t most_threads = 4;

  const Subject& subject_;
  const Scope& scope_;
  const std::span<const std::int64_t> borders_;
  const std::size_t parts_;
};

// How often a measure is defined, and its ends: what needs no value but the last.
std::vector<Spread> ends_of(const SteadyIterations& steady) {
  std::vector<Spread> ends;
  for (const Measure* measure : measures()) ends.push_back({measure});
  const auto add = [](Spread& to, const Spread& from) {
    if (from.defined == 0) return;
    to.least = to.defined == 0 ? from.least : std::min(to.least, from.least);
    to.most = to.defined == 0 ? from.most : std::max(to.most, from.most);
    to.defined += from.defined;
  };
  std::vector<std::vector<Spread>> of_part(steady.parts(), ends);
  steady.for_each([&](std::size_t part, std::size_t, const Activity& activity) {
    for (Spread& end : of_part[part]) {
      const Value value = end.measure->compute(activity);
      if (std::holds_alternative<Undefined>(value)) continue;
      const double number = number_of(value);
      add(end, {end.measure, 1, number, number, number, number, number});
    }
  });
  for (const std::vector<Spread>& part : of_part) {
    for (std::size_t i = 0; i < ends.size(); ++i) add(ends[i], part[i]);
  }
  return ends;
}

// The quartiles of some measures.
void complete(std::span<Spread* const> group, const SteadyIterations& steady) {
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<double>> values(group.size());
  for (std::vector<double>& column : values) column.assign(steady.size(), undefined);
  steady.for_each([&](std::size_t, std::size_t i, const Activity& activity) {
    for (std::size_t column = 0; column < group.size(); ++column) {
      const Value value = group[column]->measure->compute(activity);
      if (!std::holds_alternative<Undefined>(value)) values[column][i] = number_of(value);
    }
  });
  for (std::size_t column = 0; column < group.size(); ++column) {
    std::erase_if(values[column], [](double value) { return std::isnan(value); });
    set_quartiles(*group[column], values[column]);
  }
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
  for_each_activity(subject, scope, std::span(iterations.borders).first(2),
                    [&](const Activity& activity) { first = values_of(activity); });
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

  const SteadyIterations steady(subject, scope, iterations);
  result.steady = ends_of(steady);
  std::vector<Spread*> varying;
  for (Spread& spread : result.steady) {
    if (spread.least < spread.most) {
      varying.push_back(&spread);
    } else {
      spread.quartile1 = spread.median = spread.quartile3 = spread.least;
    }
  }

  // The values of all iterations are needed at once, those of all measures are not: as many as take
  // 6 bytes an op, so that short iterations cost time and not memory.
  constexpr std::size_t bytes_an_op = 6;
  const std::size_t column = sizeof(double) * std::max<std::size_t>(1, iterations.ops.size());
  const std::size_t at_once = std::max<std::size_t>(1, bytes_an_op * scope.ops.size() / column);
  for (std::size_t from = 0; from < varying.size(); from += at_once) {
    const auto group = std::span(varying).subspan(from, std::min(at_once, varying.size() - from));
    complete(group, steady);
  }
  return result;
}

}  // namespace lapscope::analyzer

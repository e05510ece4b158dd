#include "analyzer/analysis/series.h"

#include <algorithm>
#include <future>
#include <span>
#include <thread>

#include "analyzer/analysis/quartiles.h"
#include "analyzer/intervals/median.h"
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

// Calls f(activity) for each interval between two consecutive borders.
void for_each_activity(const Subject& subject, const Scope& scope, std::span<const Ns> borders,
                       auto&& f) {
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
  const std::vector<Ns> borders = equal_borders(scope.window, bins);
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

// for_each() calls f(part, i, activity) for each iteration except the first and the last. `i` is 0
// for the first iteration that is not left out. Several threads share the work. Each thread goes
// through one part of the iterations, in order. `part` is the index of that part.
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
  const std::span<const Ns> borders_;
  const std::size_t parts_;
};

// The approximate size of a random sample of iterations. For each iteration of the sample, one
// value per measure is kept.
constexpr std::size_t most_kept = std::size_t{1} << 13U;

bool is_kept(std::size_t iteration, std::size_t all) {
  if (all <= most_kept) return true;
  // Knuth's multiplicative hash of 32 bits. It prevents the sample from having a period in common
  // with the loop.
  const auto hash = static_cast<std::uint32_t>(iteration * 0x9E37'79B1U);
  return (hash * std::uint64_t{all}) >> 32U < most_kept;
}

// Calls f(result, i, value) for all values of each measure. Threads share the iterations. Each
// thread has its own results, which begin as copies of `empty`. Returns, for each measure, the sum
// of the results of all threads.
template <class T>
std::vector<T> for_values(const SteadyIterations& steady,
                          const std::vector<const Measure*>& measures, const std::vector<T>& empty,
                          const auto& f) {
  std::vector<std::vector<T>> of_part(steady.parts(), empty);
  steady.for_each([&](std::size_t part, std::size_t i, const Activity& activity) {
    for (std::size_t m = 0; m < measures.size(); ++m) {
      const Value value = measures[m]->compute(activity);
      if (!std::holds_alternative<Undefined>(value)) f(of_part[part][m], i, number_of(value));
    }
  });
  for (std::size_t part = 1; part < of_part.size(); ++part) {
    for (std::size_t m = 0; m < measures.size(); ++m) of_part[0][m].add(of_part[part][m]);
  }
  return std::move(of_part[0]);
}

constexpr double Spread::*quartiles[] = {&Spread::quartile1, &Spread::median, &Spread::quartile3};

struct Search {
  std::vector<RankSearch> ranks;

  void add(double value) {
    for (RankSearch& rank : ranks) rank.add(value);
  }
  void add(const Search& other) {
    for (std::size_t q = 0; q < ranks.size(); ++q) ranks[q].add(other.ranks[q]);
  }
};

// Makes the searches for the three quartiles of `count` values. `kept` is a sorted sample of the
// values. If the sample is empty, the searches go through all values.
Search search_of(std::int64_t count, const std::vector<double>& kept) {
  Search search;
  for (std::int64_t q = 1; q <= 3; ++q) {
    search.ranks.emplace_back(rank_of_quartile(count, q), count, kept);
  }
  return search;
}

// Sets the quartiles that were found, and sets the others to 0. Returns true if all three were
// found.
bool set_quartiles(Search& search, Spread& spread) {
  bool are_found = true;
  for (std::size_t q = 0; q < search.ranks.size(); ++q) {
    const auto found = search.ranks[q].found();
    are_found &= found.has_value();
    spread.*quartiles[q] = found.value_or(0);
  }
  return are_found;
}

// Returns how each measure varies over the iterations. Most measures need a second pass over the
// iterations for the quartiles. A third pass is rarely needed.
std::vector<Spread> spreads_of(const SteadyIterations& steady) {
  std::vector<const Measure*> sought(measures().begin(), measures().end());
  std::vector<Sampled> samples = for_values(steady, sought, std::vector<Sampled>(sought.size()),
                                            [&](Sampled& sample, std::size_t i, double value) {
                                              sample.add(value, is_kept(i, steady.size()));
                                            });
  std::vector<Spread> spreads;
  std::vector<std::size_t> open;  // indices of measures whose quartiles are sought
  std::vector<Search> searches;
  for (std::size_t m = 0; m < samples.size(); ++m) {
    std::vector<double> kept = std::move(samples[m].kept);
    const Sampled& all = samples[m];
    Spread& spread = spreads.emplace_back(
        Spread{measures()[m], all.count, all.least, all.least, all.least, all.least, all.most});
    if (all.least == all.most) continue;
    if (static_cast<std::int64_t>(kept.size()) == all.count) {
      Search search = search_of(all.count, {});
      for (const double value : kept) search.add(value);
      set_quartiles(search, spread);
      continue;
    }
    std::sort(kept.begin(), kept.end());
    open.push_back(m);
    searches.push_back(search_of(all.count, kept));
  }
  while (!open.empty()) {
    sought.clear();
    for (const std::size_t m : open) sought.push_back(measures()[m]);
    searches = for_values(steady, sought, searches,
                          [](Search& search, std::size_t, double value) { search.add(value); });
    std::vector<std::size_t> still_open;
    std::vector<Search> in_all;
    for (std::size_t k = 0; k < open.size(); ++k) {
      if (set_quartiles(searches[k], spreads[open[k]])) continue;
      still_open.push_back(open[k]);
      in_all.push_back(search_of(spreads[open[k]].defined, {}));
    }
    open = std::move(still_open);
    searches = std::move(in_all);
  }
  return spreads;
}

// Returns the measures of the first iteration; empty if this iteration takes no time.
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
  result.range = iterations.range;
  result.sequence = iterations.sequence;
  result.count = static_cast<std::int64_t>(iterations.ops.size());
  std::vector<std::uint32_t> ops = iterations.ops;
  result.ops_per_iteration = median_of(ops);
  result.first = first_of(subject, scope, iterations);

  result.steady = spreads_of(SteadyIterations(subject, scope, iterations));
  return result;
}

}  // namespace lapscope::analyzer

#include "analyzer/diff/match_launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/limits.h"

namespace lapscope::analyzer {
namespace {

using LaunchOrders = std::vector<const LaunchOrder*>;
using Places = std::vector<std::size_t>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

const std::string& name_at(const LaunchOrder& order, std::size_t place) {
  return order.names[order.launches[place].name];
}

std::map<std::string, Places> places_by_name(const LaunchOrder& order) {
  std::map<std::string, Places> places;
  for (std::size_t place = 0; place < order.launches.size(); ++place) {
    places[name_at(order, place)].push_back(place);
  }
  return places;
}

// The kernel name and the number of blocks of a launch. Launches of one kernel with different
// numbers of blocks do different work, so they do not match.
using Sort = std::pair<std::string_view, std::int64_t>;

Sort sort_at(const LaunchOrder& order, std::size_t place) {
  return {name_at(order, place), order.launches[place].blocks};
}

std::map<Sort, Places> places_by_sort(const LaunchOrder& order) {
  std::map<Sort, Places> places;
  for (std::size_t place = 0; place < order.launches.size(); ++place) {
    places[sort_at(order, place)].push_back(place);
  }
  return places;
}

// Returns the longest common subsequence of launches. Entry (i, k) of the table `longest` is the
// length of the longest common subsequence of before[i..] and after[k..].
Pairs in_common(const LaunchOrder& before, const LaunchOrder& after) {
  const std::size_t rows = before.launches.size();
  const std::size_t columns = after.launches.size();
  std::vector<std::uint32_t> longest((rows + 1) * (columns + 1), 0);
  const auto at = [&](std::size_t i, std::size_t k) -> std::uint32_t& {
    return longest[i * (columns + 1) + k];
  };
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t k = columns; k-- > 0;) {
      at(i, k) = sort_at(before, i) == sort_at(after, k) ? at(i + 1, k + 1) + 1
                                                         : std::max(at(i + 1, k), at(i, k + 1));
    }
  }
  Pairs pairs;
  for (std::size_t i = 0, k = 0; i < rows && k < columns;) {
    if (sort_at(before, i) == sort_at(after, k)) {
      pairs.emplace_back(i++, k++);
    } else if (at(i + 1, k) >= at(i, k + 1)) {
      ++i;
    } else {
      ++k;
    }
  }
  return pairs;
}

bool launches_the_same(const LaunchOrder& a, const LaunchOrder& b) {
  if (a.launches.size() != b.launches.size()) return false;
  for (std::size_t place = 0; place < a.launches.size(); ++place) {
    if (sort_at(a, place) != sort_at(b, place)) return false;
  }
  return true;
}

// Returns the runs that have the most frequent sequence of launches.
LaunchOrders agreeing(const std::vector<const ScopeSummary*>& scopes) {
  LaunchOrders best;
  for (const ScopeSummary* candidate : scopes) {
    if (candidate == nullptr || candidate->launches.launches.empty()) continue;
    LaunchOrders same;
    for (const ScopeSummary* other : scopes) {
      if (other != nullptr && launches_the_same(candidate->launches, other->launches)) {
        same.push_back(&other->launches);
      }
    }
    if (same.size() > best.size()) best = std::move(same);
  }
  return best;
}

std::vector<double> durations_of(const LaunchOrder& order, std::size_t place) {
  const auto& ns = order.launches[place].ns;
  return {ns.begin(), ns.end()};
}

std::vector<double> medians_of(const LaunchOrders& runs, std::size_t place) {
  std::vector<double> medians;
  for (const LaunchOrder* run : runs) {
    medians.push_back(repeats_of(durations_of(*run, place)).median);
  }
  return medians;
}

// Returns the durations of the launch at `place` in all instances of all runs. If there are more
// than limits::repeats durations, returns only every n-th one, so that at most this many remain.
std::vector<double> instances_of(const LaunchOrders& runs, std::size_t place) {
  std::vector<double> all;
  for (const LaunchOrder* run : runs) {
    const auto some = durations_of(*run, place);
    all.insert(all.end(), some.begin(), some.end());
  }
  const std::size_t step = (all.size() + limits::repeats - 1) / limits::repeats;
  std::vector<double> some;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

FigureChange change_of(const LaunchOrders& before, std::size_t old, const LaunchOrders& after,
                       std::size_t place) {
  const FigureChange by_run =
      figure_change(medians_of(before, old), medians_of(after, place), Better::less);
  if (by_run.change != Change::unclear) return by_run;
  return figure_change(instances_of(before, old), instances_of(after, place), Better::less);
}

bool matters(const FigureChange& figure) {
  if (figure.change != Change::better && figure.change != Change::worse) return false;
  return std::abs(*figure.difference()) >= assumed::tolerance * figure.before->median;
}

}  // namespace

Pairs match_launches(const LaunchOrder& before, const LaunchOrder& after) {
  const auto then = places_by_sort(before);
  Pairs pairs;
  bool counts_differ = false;
  const auto is_even = [&then](const Sort& sort, const Places& places) {
    const auto old = then.find(sort);
    return old != then.end() && old->second.size() == places.size();
  };
  const auto now = places_by_sort(after);
  for (const auto& [sort, places] : now) {
    if (!is_even(sort, places)) {
      counts_differ = counts_differ || then.count(sort) > 0;
      continue;
    }
    const Places& old = then.at(sort);
    for (std::size_t k = 0; k < places.size(); ++k) pairs.emplace_back(old[k], places[k]);
  }
  if (counts_differ) {
    for (const auto& [old, place] : in_common(before, after)) {
      const Sort sort = sort_at(after, place);
      if (!is_even(sort, now.at(sort))) pairs.emplace_back(old, place);
    }
  }
  std::ranges::sort(pairs, {}, [](const auto& one) { return one.second; });
  return pairs;
}

std::vector<LaunchChange> compare_launches(const std::vector<const ScopeSummary*>& before,
                                           const std::vector<const ScopeSummary*>& after) {
  const LaunchOrders then = agreeing(before);
  const LaunchOrders now = agreeing(after);
  if (then.empty() || now.empty()) return {};
  const auto places_then = places_by_name(*then.front());
  const auto places_now = places_by_name(*now.front());
  const auto nth = [](const Places& places, std::size_t place) {
    return static_cast<std::size_t>(std::ranges::lower_bound(places, place) - places.begin() + 1);
  };
  std::map<std::string, std::vector<LaunchChange>> by_name;
  for (const auto& [old, place] : match_launches(*then.front(), *now.front())) {
    const std::string& name = name_at(*now.front(), place);
    const Places& places = places_now.at(name);
    const Places& old_places = places_then.at(name);
    by_name[name].push_back({name, nth(places, place), places.size(), nth(old_places, old),
                             old_places.size(), change_of(then, old, now, place)});
  }
  std::vector<LaunchChange> changes;
  for (auto& [name, launches] : by_name) {
    const Change first = launches.front().ns.change;
    const bool alike = std::ranges::all_of(launches, [&](const LaunchChange& one) {
      return matters(one.ns) && one.ns.change == first;
    });
    if (alike || launches.front().of < 2) continue;
    for (LaunchChange& launch : launches) {
      if (matters(launch.ns)) changes.push_back(std::move(launch));
    }
  }
  std::ranges::stable_sort(changes, [](const LaunchChange& a, const LaunchChange& b) {
    return std::abs(*a.ns.difference()) > std::abs(*b.ns.difference());
  });
  return changes;
}

}  // namespace lapscope::analyzer

#include "analyzer/summary/repeats.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns twice the rank of each value among all values. The smallest value has rank 1. Equal
// values share their mean rank.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&values](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<std::size_t> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (std::size_t i = from; i < to; ++i) ranks[order[i]] = from + 1 + to;
    from = to;
  }
  return ranks;
}

// Element s of the result is the number of ways to choose ranks whose sum is s. Each choice has
// `take` elements of `ranks`. A `double` rounds numbers above 2^53. This is exact enough, because
// only ratios of these numbers are used.
std::vector<double> ways_by_sum(const std::vector<std::size_t>& ranks, std::size_t take) {
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<std::vector<double>> ways(take + 1, std::vector<double>(total + 1, 0.0));
  ways[0][0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t taken = take; taken > 0; --taken) {
      for (std::size_t sum = total; sum >= rank; --sum) {
        ways[taken][sum] += ways[taken - 1][sum - rank];
      }
    }
  }
  return ways[take];
}

}  // namespace

Repeats repeats_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  return {values.size(),    values.front(),          values[last / 4],
          values[last / 2], values[last - last / 4], values.back()};
}

std::optional<double> chance_of_difference(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return std::nullopt;
  const std::size_t count = a.size() + b.size();
  // There are `choices` ways to divide the values between both samples. If all values differ, the
  // rank sums of the samples differ most in two of these ways. So the least possible p-value is
  // 2 / choices.
  double choices = 1;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    choices *= static_cast<double>(b.size() + i) / static_cast<double>(i);
  }
  if (2 / choices > assumed::chance) return std::nullopt;

  std::vector<double> values(a.begin(), a.end());
  values.insert(values.end(), b.begin(), b.end());
  const auto ranks = doubled_ranks(values);
  const auto observed = std::accumulate(
      ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(a.size()), std::size_t{0});
  // The mean of `observed` over all ways to choose a.size() values.
  const auto expected = static_cast<double>(a.size() * (count + 1));
  const double distance = std::abs(static_cast<double>(observed) - expected);
  const auto ways = ways_by_sum(ranks, a.size());
  double as_far = 0;
  double all = 0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    all += ways[sum];
    if (std::abs(static_cast<double>(sum) - expected) >= distance) as_far += ways[sum];
  }
  return as_far / all;
}

}  // namespace lapscope::analyzer

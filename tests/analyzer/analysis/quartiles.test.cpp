#include "analyzer/analysis/quartiles.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using Values = std::vector<double>;

// Searches for the value with this rank, where `kept` is a sample of the values. The search goes
// through all values in two parts, as two threads would.
std::optional<double> found_between(const Values& values, std::int64_t rank, const Values& kept) {
  Values ordered = kept;
  std::sort(ordered.begin(), ordered.end());
  const RankSearch search(rank, static_cast<std::int64_t>(values.size()), ordered);
  std::vector<RankSearch> parts(2, search);
  for (std::size_t i = 0; i < values.size(); ++i) parts[i % 2].add(values[i]);
  parts[0].add(parts[1]);
  return parts[0].found();
}

TEST_CASE("a rank is found exactly, whatever the values are distributed like") {
  std::mt19937 random(1);
  const auto number = [&random](double most) {
    return std::uniform_real_distribution<double>(0, most)(random);
  };
  const std::vector<std::function<double(std::size_t)>> distributions = {
      [&](std::size_t) { return number(1); },
      [&](std::size_t) { return std::floor(number(5)); },               // many values are equal
      [&](std::size_t) { return number(1) < 0.9 ? 7.0 : number(10); },  // most values are equal
      [&](std::size_t) { return std::exp(number(40)); },                // few values are large
      [](std::size_t i) { return static_cast<double>(i); },             // sorted
      [](std::size_t i) { return static_cast<double>(i % 16 == 0 ? 9 : i % 3); },
  };
  for (std::size_t d = 0; d < distributions.size(); ++d) {
    Values values;
    for (std::size_t i = 0; i < 20'000; ++i) values.push_back(distributions[d](i));
    Values kept;
    std::sample(values.begin(), values.end(), std::back_inserter(kept), 1'000, random);
    Values ordered = values;
    std::sort(ordered.begin(), ordered.end());
    for (std::int64_t q = 1; q <= 3; ++q) {
      INFO("distribution " << d << ", quartile " << q);
      const std::int64_t rank = rank_of_quartile(20'000, q);
      const double right = ordered[static_cast<std::size_t>(rank)];
      CHECK(found_between(values, rank, kept) == right);
      CHECK(found_between(values, rank, {}) == right);  // without a sample, all are searched
    }
  }
}

TEST_CASE("nothing is found where the sample is not one of these values") {
  Values values;
  for (int i = 0; i < 1'000; ++i) values.push_back(i);
  const Values low(values.begin(), values.begin() + 100);
  const Values high(values.end() - 100, values.end());
  CHECK_FALSE(found_between(values, 499, low).has_value());
  CHECK_FALSE(found_between(values, 499, high).has_value());
  CHECK(found_between(values, 499, {}) == 499.);
}

TEST_CASE("the first round has the ends and the number of all values, of several parts") {
  Sampled one;
  Sampled other;
  for (const double value : {3., -1., 8.}) one.add(value, true);
  for (const double value : {4., 9.}) other.add(value, false);
  one.add(other);
  one.add(Sampled{});
  CHECK(one.count == 5);
  CHECK(one.least == -1);
  CHECK(one.most == 9);
  CHECK(one.kept == Values{3, -1, 8});
}

}  // namespace
}  // namespace lapscope::analyzer

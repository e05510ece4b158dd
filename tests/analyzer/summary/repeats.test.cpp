#include "analyzer/summary/repeats.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "analyzer/model/limits.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-9; }

TEST_CASE("one run has no spread") {
  const Repeats one = repeats_of({3});
  CHECK(one.count == 1);
  CHECK(one.low == 3);
  CHECK(one.median == 3);
  CHECK(one.high == 3);
}

TEST_CASE("up to four runs are all inside the spread, and of five, the odd ones are not") {
  //                 least low median high most
  // 4 runs          1     1   2      4    4
  // 5 runs          1     2   3      4    9
  const Repeats four = repeats_of({4, 1, 3, 2});
  CHECK(four.low == 1);
  CHECK(four.median == 2);
  CHECK(four.high == 4);
  const Repeats five = repeats_of({9, 1, 3, 4, 2});
  CHECK(five.least == 1);
  CHECK(five.low == 2);
  CHECK(five.median == 3);
  CHECK(five.high == 4);
  CHECK(five.most == 9);
}

TEST_CASE("the spread covers at least half of the runs, and mirrors when the values do") {
  std::mt19937 random(1);
  for (std::size_t count = 1; count <= 40; ++count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(random() % 10));
    const Repeats repeats = repeats_of(values);
    const auto inside = std::count_if(values.begin(), values.end(), [&](double value) {
      return repeats.low <= value && value <= repeats.high;
    });
    REQUIRE(2 * static_cast<std::size_t>(inside) >= count);
    REQUIRE((repeats.least <= repeats.low && repeats.low <= repeats.median));
    REQUIRE((repeats.median <= repeats.high && repeats.high <= repeats.most));
    for (double& value : values) value = -value;
    REQUIRE(repeats_of(values).low == -repeats.high);
  }
}

TEST_CASE("chances are those of counting all ways to choose") {
  // All values of `a` are below those of `b`. Of the 70 ways to choose 4 of 8 values, 2 have a rank
  // sum that is as extreme as that of `a`.
  const std::vector<double> a = {1, 2, 3, 4};
  const std::vector<double> b = {5, 6, 7, 8};
  CHECK(near(*chance_of_difference(a, b), 2.0 / 70));
  CHECK(near(*chance_of_difference(b, a), 2.0 / 70));
  // The first sample has the ranks 1, 2, 3 and 5, with the sum 11. Of the 70 ways to choose 4 of 8
  // ranks, two have a sum of at most 11. By symmetry, two have a sum of at least 25.
  CHECK(
      near(*chance_of_difference(std::vector<double>{1, 2, 3, 5}, std::vector<double>{4, 6, 7, 8}),
           4.0 / 70));
  const std::vector<double> equal(4, 1.0);
  CHECK(near(*chance_of_difference(equal, equal), 1));
}

TEST_CASE("samples too small to tell anything have no chance") {
  CHECK_FALSE(chance_of_difference(std::vector<double>{1}, std::vector<double>{2}));
  CHECK_FALSE(chance_of_difference(std::vector<double>{1, 2, 3}, std::vector<double>{7, 8, 9}));
  CHECK_FALSE(chance_of_difference({}, std::vector<double>{7, 8, 9}));
  CHECK(chance_of_difference(std::vector<double>{1, 2, 3}, std::vector<double>{5, 6, 7, 8, 9}));
}

// Computes the result of chance_of_difference() in another way: counts all choices of a.size()
// values.
double counted_chance(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto rank = [&all](double value) {
    double below = 0;
    double equal = 0;
    for (const double other : all) {
      below += other < value ? 1 : 0;
      equal += other == value ? 1 : 0;
    }
    return below + (equal + 1) / 2;
  };
  const double expected = static_cast<double>(a.size() * (all.size() + 1)) / 2;
  double observed = 0;
  for (const double value : a) observed += rank(value);
  double as_far = 0;
  double choices = 0;
  for (std::uint32_t choice = 0; choice < (1U << all.size()); ++choice) {
    double sum = 0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((choice >> i & 1U) == 0) continue;
      sum += rank(all[i]);
      ++chosen;
    }
    if (chosen != a.size()) continue;
    ++choices;
    as_far += std::abs(sum - expected) >= std::abs(observed - expected) ? 1 : 0;
  }
  return as_far / choices;
}

TEST_CASE("chances of random samples, ties included, are those of counting") {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::vector<double> a(4 + random() % 2);
    std::vector<double> b(4 + random() % 2);
    for (double& value : a) value = static_cast<double>(random() % 6);
    for (double& value : b) value = static_cast<double>(random() % 6 + (round % 2 == 0 ? 0 : 2));
    REQUIRE(near(*chance_of_difference(a, b), counted_chance(a, b)));
  }
}

TEST_CASE("as many repeats as are taken are judged in no time") {
  std::vector<double> a(limits::repeats, 1.0);
  std::vector<double> b(limits::repeats, 2.0);
  CHECK(*chance_of_difference(a, b) < 1e-20);
}

}  // namespace
}  // namespace lapscope::analyzer

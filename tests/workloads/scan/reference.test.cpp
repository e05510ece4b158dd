#include "workloads/scan/problem/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.h"
#include "workloads/scan/problem/problems.h"

namespace lapscope::workloads::scan {
namespace {

constexpr Combination u32_sum{ElementType::u32, Operator::sum};
constexpr Combination f32_sum{ElementType::f32, Operator::sum};

TEST_CASE("ones sum up to the count", "[scan]") {
  const std::vector<std::uint32_t> inclusive{1, 2, 3, 4};
  const std::vector<std::uint32_t> exclusive{0, 1, 2, 3};
  Expectation expectation{.combination = u32_sum, .fill = Fill::constant};
  REQUIRE_FALSE(compare_with_reference(expectation)(inclusive.data(), 4));
  REQUIRE(compare_with_reference(expectation)(exclusive.data(), 4) == 0);
  expectation.kind = Kind::exclusive;
  REQUIRE_FALSE(compare_with_reference(expectation)(exclusive.data(), 4));
  REQUIRE(compare_with_reference(expectation)(inclusive.data(), 4) == 0);
}

TEST_CASE("parts are compared as one array", "[scan]") {
  const Expectation expectation{.combination = u32_sum, .fill = Fill::constant};
  const std::vector<std::uint32_t> right{1, 2, 3, 4};
  std::vector<std::uint32_t> wrong = right;
  wrong[3] = 5;
  const Comparison all_right = compare_with_reference(expectation);
  REQUIRE_FALSE(all_right(right.data(), 2));
  REQUIRE_FALSE(all_right(right.data() + 2, 2));
  const Comparison one_wrong = compare_with_reference(expectation);
  REQUIRE_FALSE(one_wrong(wrong.data(), 2));
  REQUIRE(one_wrong(wrong.data() + 2, 2) == 3);
}

// f32 as a rung leaves it that sums in order.
std::vector<float> sums_of(Fill fill, std::uint64_t n) {
  std::vector<float> sums(n);
  fill_host(f32_sum, fill, sums.data(), n);
  for (std::uint64_t i = 1; i < n; ++i) sums[i] += sums[i - 1];
  return sums;
}

// What a rung of the CPU was held to, and a look-back over 2^31 + 17 elements.
constexpr std::uint64_t depths[] = {10'000'000, 1 << 24, (std::uint64_t{1} << 31) + 17};

TEST_CASE("a sum of real floats may differ by the bound and no more", "[scan]") {
  constexpr std::uint64_t n = 1000;
  std::vector<float> sums = sums_of(Fill::real, n);
  const Expectation exact{.combination = f32_sum, .fill = Fill::real, .depth = 0};
  const Expectation rounded{.combination = f32_sum, .fill = Fill::real, .depth = n};
  REQUIRE(compare_with_reference(exact)(sums.data(), n));
  REQUIRE_FALSE(compare_with_reference(rounded)(sums.data(), n));
  sums[500] += 0.5F;
  REQUIRE(compare_with_reference(rounded)(sums.data(), n) == 500);
}

TEST_CASE("the first real floats are held to the roundings they can have, not to those of all",
          "[scan]") {
  // Two terms, one rounding: the bound is 2^-24 of their magnitudes, however long the array.
  std::vector<float> sums = sums_of(Fill::real, 2);
  sums[1] += 1e-6F;
  for (const std::uint64_t depth : depths) {
    const Expectation rounded{.combination = f32_sum, .fill = Fill::real, .depth = depth};
    REQUIRE(compare_with_reference(rounded)(sums.data(), 2) == 1);
  }
}

TEST_CASE("in the middle of random floats and of ones, no depth excuses an error", "[scan]") {
  constexpr std::uint64_t n = 1 << 20;
  for (const Fill fill : {Fill::random, Fill::constant}) {
    const std::vector<float> right = sums_of(fill, n);
    for (const std::uint64_t depth : depths) {
      const Expectation expectation{.combination = f32_sum, .fill = fill, .depth = depth};
      INFO(name_of(fill) << " input, depth " << depth);
      const auto wrong = [&](const std::vector<float>& sums) {
        const auto by_order = compare_with_reference(expectation)(sums.data(), n);
        REQUIRE(find_wrong_on_host(expectation, sums.data(), n) == by_order);
        return by_order;
      };
      REQUIRE_FALSE(wrong(right));

      REQUIRE(wrong(std::vector<float>(n, 0.0F)) == 0);

      std::vector<float> tail = right;
      std::fill(tail.begin() + 10'000, tail.end(), 0.0F);
      REQUIRE(wrong(tail) == 10'000);

      std::vector<float> off_by_one = right;
      off_by_one[n - 1] += 1;
      REQUIRE(wrong(off_by_one) == n - 1);

      std::vector<float> lost_one = right;
      const float lost = right[n / 2] - right[n / 2 - 1];
      for (std::uint64_t i = n / 2; i < n; ++i) lost_one[i] -= lost;
      REQUIRE(wrong(lost_one) == n / 2);

      std::vector<float> no_number = right;
      no_number[7] = std::numeric_limits<float>::quiet_NaN();
      REQUIRE(wrong(no_number) == 7);
    }
  }
}

TEST_CASE("ones in f32 are exact up to 2^24 of them, and rounded from there on", "[scan]") {
  const auto ones = [](std::uint64_t n) {
    const Expectation expectation{.combination = f32_sum, .fill = Fill::constant};
    return is_exact(expectation, n);
  };
  REQUIRE(ones(1 << 24));
  REQUIRE_FALSE(ones((1 << 24) + 1));
  REQUIRE(is_exact({.combination = f32_sum, .fill = Fill::random}, std::uint64_t{1} << 40));
  REQUIRE_FALSE(is_exact({.combination = f32_sum, .fill = Fill::real}, 3));
}

//   place   0 ──► walk(1) ──► walk(2) ──► …        each below 2^22, any sum of neighbours too
//   input      x(0)       x(1)
TEST_CASE("random floats are whole numbers whose sums f32 holds, wherever they begin", "[scan]") {
  std::vector<float> input(1 << 16);
  fill_host(f32_sum, Fill::random, input.data(), input.size());
  for (const std::size_t begin : {std::size_t{0}, std::size_t{1}, std::size_t{4711}}) {
    std::int64_t exact = 0;
    float sum = 0;
    for (std::size_t i = begin; i < input.size(); ++i) {
      REQUIRE(input[i] == std::trunc(input[i]));
      exact += static_cast<std::int64_t>(input[i]);
      sum += input[i];
      REQUIRE(std::abs(exact) < 1 << 22);
      REQUIRE(static_cast<std::int64_t>(sum) == exact);
    }
  }
  // Beyond any index that a test could fill.
  constexpr std::uint64_t far = (std::uint64_t{1} << 31) + 17;
  REQUIRE(walk_at(0) == 0);
  REQUIRE(walk_at(far) >= 0);
  REQUIRE(walk_at(far) < 1 << 22);
  REQUIRE(input_at<F32<Sum>>(far, Fill::random) ==
          static_cast<float>(walk_at(far + 1) - walk_at(far)));
}

TEST_CASE("real floats lie between -1 and 1, and random maps have odd multipliers", "[scan]") {
  std::vector<float> floats(1000);
  fill_host(f32_sum, Fill::real, floats.data(), floats.size());
  for (const float x : floats) REQUIRE(-1.0F <= x);
  for (const float x : floats) REQUIRE(x < 1.0F);
  std::vector<std::uint64_t> maps(1000);
  fill_host({ElementType::u64, Operator::affine}, Fill::random, maps.data(), maps.size());
  for (const std::uint64_t map : maps) REQUIRE((map >> 32 & 1) == 1);
}

TEST_CASE("many results are checked by all cores as by one", "[scan]") {
  constexpr std::uint64_t n = (1 << 21) + 3;
  std::vector<std::uint64_t> maps(n);
  const Combination affine{ElementType::u64, Operator::affine};
  fill_host(affine, Fill::random, maps.data(), n);
  for (std::uint64_t i = 1; i < n; ++i) maps[i] = Affine<std::uint64_t>{}(maps[i - 1], maps[i]);
  const Expectation expectation{.combination = affine};
  REQUIRE_FALSE(find_wrong_on_host(expectation, maps.data(), n));
  for (const std::uint64_t spoiled : {std::uint64_t{0}, n / 2, n - 1}) {
    maps[spoiled] ^= 1;
    REQUIRE(find_wrong_on_host(expectation, maps.data(), n) == spoiled);
    maps[spoiled] ^= 1;
  }
}

TEST_CASE("random input of max rises, so that no early element hides the rest", "[scan]") {
  std::vector<std::uint32_t> input(10000);
  fill_host({ElementType::u32, Operator::max}, Fill::random, input.data(), input.size());
  REQUIRE(input.back() > input.front());
  REQUIRE(input.front() != input[1]);
}

}  // namespace
}  // namespace lapscope::workloads::scan

#include "workloads/scan/problem/reference.h"

#include <cstring>
#include <vector>

#include "tests/catch.h"

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

TEST_CASE("a sum of floats may differ by the bound and no more", "[scan]") {
  constexpr std::uint64_t n = 1000;
  std::vector<float> input(n);
  fill_host(f32_sum, Fill::random, input.data(), n);
  std::vector<float> sums(n);
  float sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) sums[i] = sum += input[i];
  const Expectation exact{.combination = f32_sum, .depth = 0};
  const Expectation rounded{.combination = f32_sum, .depth = n};
  REQUIRE(compare_with_reference(exact)(sums.data(), n));
  REQUIRE_FALSE(compare_with_reference(rounded)(sums.data(), n));
  sums[500] += 0.5F;
  REQUIRE(compare_with_reference(rounded)(sums.data(), n) == 500);
}

TEST_CASE("random floats lie in (-1, 1), and random maps have odd multipliers", "[scan]") {
  std::vector<float> floats(1000);
  fill_host(f32_sum, Fill::random, floats.data(), floats.size());
  for (const float x : floats) REQUIRE(-1.0F <= x);
  for (const float x : floats) REQUIRE(x < 1.0F);
  std::vector<std::uint64_t> maps(1000);
  fill_host({ElementType::u64, Operator::affine}, Fill::random, maps.data(), maps.size());
  for (const std::uint64_t map : maps) REQUIRE((map >> 32 & 1) == 1);
}

TEST_CASE("random input of max rises, so that no early element hides the rest", "[scan]") {
  std::vector<std::uint32_t> input(10000);
  fill_host({ElementType::u32, Operator::max}, Fill::random, input.data(), input.size());
  REQUIRE(input.back() > input.front());
  REQUIRE(input.front() != input[1]);
}

}  // namespace
}  // namespace lapscope::workloads::scan

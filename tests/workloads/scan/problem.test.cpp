#include "workloads/scan/rungs/problem.h"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.h"
#include "workloads/harness/guard.h"

namespace lapscope::workloads::scan {
namespace {

TEST_CASE("names of types lead back to them", "[scan]") {
  for (const Type type : all_types) REQUIRE(parse_type(name_of(type)) == type);
  REQUIRE_THROWS_AS(parse_type("f64"), UsageError);
}

// Inputs are the steps of a walk: x(i) = walk(i + 1) - walk(i). Each input, and each sum of
// consecutive inputs, is below 2^22 in magnitude, so f32 holds it exactly.
//
//   place   0 ──► walk(1) ──► walk(2) ──► …
//   input      x(0)       x(1)
TEST_CASE("f32 inputs are whole numbers, and f32 holds their sums from any index on", "[scan]") {
  std::vector<float> input(1 << 16);
  fill_host(Type::f32, input.data(), input.size());
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
  // No array of a test is that long.
  constexpr std::uint64_t far = (std::uint64_t{1} << 32) + 17;
  REQUIRE(walk_at(0) == 0);
  REQUIRE(walk_at(far) >= 0);
  REQUIRE(walk_at(far) < 1 << 22);
  REQUIRE(input_at<float>(far) == static_cast<float>(walk_at(far + 1) - walk_at(far)));
}

// Computes the scan directly, without the rule by which results are checked.
template <typename T>
std::vector<T> scanned(Type type, Kind kind, std::uint64_t n) {
  std::vector<T> in(n);
  std::vector<T> out(n);
  fill_host(type, in.data(), n);
  T left = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const T with_own = left + in[i];
    out[i] = kind == Kind::inclusive ? with_own : left;
    left = with_own;
  }
  return out;
}

// Checks that the right result passes, and that each planted error is found at its place.
template <typename T>
void plant_errors(Type type, Kind kind) {
  constexpr std::uint64_t n = 100'003;
  const std::vector<T> right = scanned<T>(type, kind, n);
  const auto wrong = [&](const std::vector<T>& out) {
    return first_wrong_on_host(type, kind, out.data(), out.size());
  };
  REQUIRE_FALSE(wrong(right));

  for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1}, n / 2, n - 1}) {
    std::vector<T> off_by_one = right;
    off_by_one[index] += 1;
    REQUIRE(wrong(off_by_one) == index);
  }
  std::vector<T> zeros = right;
  std::fill(zeros.begin() + n / 2, zeros.end(), T{0});
  REQUIRE(wrong(zeros) == n / 2);

  std::vector<T> lost = right;
  const T element = right[n / 3 + 1] - right[n / 3];
  for (std::uint64_t i = n / 3 + 1; i < n; ++i) lost[i] -= element;
  REQUIRE(wrong(lost) == n / 3 + 1);

  REQUIRE(wrong(scanned<T>(type, kind == Kind::inclusive ? Kind::exclusive : Kind::inclusive, n)));
}

TEST_CASE("the check passes right results, and finds every error that is planted", "[scan]") {
  for (const Type type : all_types) {
    for (const Kind kind : {Kind::inclusive, Kind::exclusive}) {
      INFO(name_of(kind) << " " << name_of(type));
      with_type(type, [&]<typename T>(T) { plant_errors<T>(type, kind); });
    }
  }
}

TEST_CASE("what is not a number is wrong", "[scan]") {
  auto sums = scanned<float>(Type::f32, Kind::inclusive, 100);
  sums[7] = std::numeric_limits<float>::quiet_NaN();
  REQUIRE(first_wrong_on_host(Type::f32, Kind::inclusive, sums.data(), sums.size()) == 7);
}

}  // namespace
}  // namespace lapscope::workloads::scan

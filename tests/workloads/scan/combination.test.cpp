#include "workloads/scan/problem/combination.h"

#include "tests/catch.h"
#include "workloads/harness/guard.h"
#include "workloads/scan/problem/input.h"
#include "workloads/scan/problem/problems.h"

namespace lapscope::workloads::scan {
namespace {

TEST_CASE("every type is summed and compared, and affine maps are packed in u32 and u64",
          "[scan]") {
  REQUIRE(combinations().size() == 12);
  REQUIRE_NOTHROW(validate({ElementType::u8, Operator::max}));
  REQUIRE_NOTHROW(validate({ElementType::u64, Operator::affine}));
  REQUIRE_THROWS_AS(validate({ElementType::f32, Operator::affine}), UsageError);
}

TEST_CASE("names of types and operators lead back to them", "[scan]") {
  for (const Combination combination : combinations()) {
    REQUIRE(parse_type(name_of(combination.type)) == combination.type);
    REQUIRE(parse_operator(name_of(combination.op)) == combination.op);
  }
  REQUIRE_THROWS_AS(parse_type("f64"), UsageError);
  REQUIRE_THROWS_AS(parse_operator("+"), UsageError);
}

TEST_CASE("affine is associative, has an identity, and is not commutative", "[scan]") {
  const Affine<std::uint64_t> op;
  const auto a = input_at<U64<Affine>>(1, Fill::random);
  const auto b = input_at<U64<Affine>>(2, Fill::random);
  const auto c = input_at<U64<Affine>>(3, Fill::random);
  REQUIRE(op(op(a, b), c) == op(a, op(b, c)));
  REQUIRE(op(a, b) != op(b, a));
  REQUIRE(op(op.identity(), a) == a);
  REQUIRE(op(a, op.identity()) == a);
}

TEST_CASE("affine applies the left map first", "[scan]") {
  // x -> 3x + 5, then x -> 7x + 2: x -> 21x + 37.
  const auto map = [](std::uint32_t m, std::uint32_t c) { return m << 16 | c; };
  REQUIRE(Affine<std::uint32_t>{}(map(3, 5), map(7, 2)) == map(21, 37));
  // The constant wraps around without touching the multiplier.
  REQUIRE(Affine<std::uint32_t>{}(map(1, 0xffff), map(1, 1)) == map(1, 0));
}

TEST_CASE("sums of signed integers wrap around", "[scan]") {
  const std::int32_t largest = std::numeric_limits<std::int32_t>::max();
  REQUIRE(Sum<std::int32_t>{}(largest, 1) == std::numeric_limits<std::int32_t>::min());
}

}  // namespace
}  // namespace lapscope::workloads::scan

#include "analyzer/graph/sm_use.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// 100 multiprocessors with room for 4 blocks of 8 warps, and for 32 warps.
constexpr DeviceLimits limits{100, 32, 32, 4, 0, 0};

SmUse kernel_of(std::int64_t blocks, std::int64_t warps) {
  return sm_use({blocks, warps * 32, 0, 0}, limits).value();
}

TEST_CASE("what a kernel takes follows from its blocks and what a multiprocessor holds") {
  const SmUse half = kernel_of(50, 8);
  REQUIRE(half.covers == 0.5F);
  REQUIRE(half.loaded[SmUse::warps] == 0.25F);
  REQUIRE(half.waves == 1);
  REQUIRE_FALSE(half.fills());
  const SmUse three_waves = kernel_of(1200, 8);
  REQUIRE(three_waves.covers == 1);
  REQUIRE(three_waves.loaded[SmUse::warps] == 1);
  REQUIRE(three_waves.waves == 3);
  REQUIRE(three_waves.fills());
  REQUIRE_FALSE(sm_use({0, 32, 0, 0}, limits));
  REQUIRE_FALSE(sm_use({1, 32, 0, 0}, DeviceLimits{}));
}

TEST_CASE("the last wave of a kernel leaves what its blocks do not take") {
  REQUIRE(kernel_of(400, 8).spare == 0);
  REQUIRE(kernel_of(1200, 8).spare == 0);
  REQUIRE(kernel_of(50, 8).spare == 0);       // no wave is full: others find room anyhow
  REQUIRE(kernel_of(700, 8).spare == 0.125);  // of two rounds, the last is for 3 in 4
  REQUIRE(kernel_of(500, 8).spare == 0.375);
  REQUIRE(kernel_of(40'100, 8).spare < 0.01);  // one round of many
}

TEST_CASE("a kernel finds room for none, some or all of its blocks") {
  const SmUse whole = kernel_of(400, 8);
  const SmUse half = kernel_of(50, 32);  // each block fills a multiprocessor
  const SmUse most = kernel_of(80, 32);
  const SmUse waves = kernel_of(1200, 8);
  REQUIRE(fit_of(half, {}) == Fit::all);
  REQUIRE(fit_of(half, {&half}) == Fit::all);
  REQUIRE(fit_of(most, {&half}) == Fit::some);
  REQUIRE(fit_of(half, {&whole}) == Fit::none);
  REQUIRE(fit_of(half, {&waves}) == Fit::none);
  REQUIRE(fit_of(waves, {&half}) == Fit::all);  // it takes what there is
  REQUIRE(fit_of(half, {&half, &half}) == Fit::none);
}

}  // namespace
}  // namespace lapscope::analyzer

#include "analyzer/machine/sm_use.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Each of 100 multiprocessors has room for 4 blocks, and for 32 warps.
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
  REQUIRE(kernel_of(50, 8).spare == 0);       // no wave is full, so others always find room
  REQUIRE(kernel_of(700, 8).spare == 0.125);  // two rounds; the last one fills 3 in 4 places
  REQUIRE(kernel_of(500, 8).spare == 0.375);
  REQUIRE(kernel_of(40'100, 8).spare < 0.01);  // the last of very many rounds
}

//   SM 0  AABCD    A, B, C and D have 5 blocks each, for 4 multiprocessors: 1.25 waves.
//   SM 1  ABBCD    Alone, each kernel takes two rounds. Together, the four kernels take five.
//   SM 2  ABCCD
//   SM 3  ABCDD
TEST_CASE("a kernel that begins in the last wave of another one takes its rounds from there on") {
  const SmUse kernel = kernel_of(500, 8);  // 400 blocks run at once
  const Course alone = course_of(kernel, 200, 0, 0);
  REQUIRE(alone.work == 200);
  REQUIRE(alone.last_wave_overlap == 75);
  const Course second =
      course_of(kernel, 200, 75, alone.waves_left);  // 0.75 waves were left; 0.5 remain
  REQUIRE(second.work == 175);
  REQUIRE(second.last_wave_overlap == 50);
  const Course third = course_of(kernel, 200, 50, second.waves_left);
  REQUIRE(third.work == 150);
  REQUIRE(third.last_wave_overlap == 25);
  const Course fourth = course_of(kernel, 200, 25, third.waves_left);
  REQUIRE(fourth.work == 125);
  REQUIRE(fourth.last_wave_overlap == 0);
}

TEST_CASE("one with full waves that begins in the last wave of another one leaves what that did") {
  const Course course = course_of(kernel_of(800, 8), 200, 50, 0.5);
  REQUIRE(course.work == 250);
  REQUIRE(course.last_wave_overlap == 50);
}

TEST_CASE("one of a shape that leaves nothing begins when the other one has ended") {
  SmUse kernel = kernel_of(500, 8);
  kernel.spare = 0;  // as Room does for a shape that leaves nothing
  REQUIRE(course_of(kernel, 200, 50, 0.5).work == 200);
  REQUIRE(course_of(kernel, 200, 50, 0.5).last_wave_overlap == 0);
  REQUIRE(course_of(kernel_of(100, 8), 200, 50, 0.5).work == 200);  // has one wave
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
  REQUIRE(fit_of(waves, {&half}) == Fit::all);  // it takes the room that is left
  REQUIRE(fit_of(half, {&half, &half}) == Fit::none);
}

}  // namespace
}  // namespace lapscope::analyzer

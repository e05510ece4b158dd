#include "workloads/streams/suite/expectation.h"

#include "tests/catch.h"
#include "workloads/streams/suite/registry.h"

// Worked out by hand on parts with round times. A letter of the pictures is 10 us.
namespace lapscope::workloads::streams {
namespace {

constexpr Shape three_tiles{.tiles = 3};

PartTimes copies_and_kernel(double copy, double copy_both, double kernel) {
  return {.h2d_us = copy,
          .d2h_us = copy,
          .h2d_both_us = copy_both,
          .d2h_both_us = copy_both,
          .kernel_us = kernel};
}

Expectation expected(const char* name, const char* variant, const PartTimes& parts,
                     const Shape& shape) {
  return find_variant(find_case(name), variant).expect(parts, shape);
}

TEST_CASE("one tile after the other takes the sum of the parts", "[streams]") {
  // H  AA    BB    CC
  // K    AA    BB    CC
  // D      AA    BB    CC
  const Expectation result = one_after_the_other(copies_and_kernel(20, 25, 20), three_tiles);
  REQUIRE(result.wall_us == 180);
  REQUIRE(result.sum_us == 180);
  REQUIRE(result.overlap_ratio() == 0);
}

TEST_CASE("time between the tiles makes the overlap ratio negative", "[streams]") {
  const Expectation result = one_after_the_other(copies_and_kernel(20, 25, 20), three_tiles, 30);
  REQUIRE(result.wall_us == 270);
  REQUIRE(result.overlap_ratio() == -0.5);
}

TEST_CASE("engines hand over to each other after each operation", "[streams]") {
  PartTimes parts = copies_and_kernel(20, 25, 20);
  parts.hand_over_us = 2;
  REQUIRE(one_after_the_other(parts, three_tiles).wall_us == 180 + 3 * 3 * 2);
  REQUIRE(one_after_the_other(parts, three_tiles).sum_us == 180);
  parts.step_us = 10;
  REQUIRE(one_after_the_other(parts, three_tiles).wall_us == 210 + 3 * 4 * 2);
}

TEST_CASE("the work of the last callback outlasts the last copy out", "[streams]") {
  PartTimes parts = copies_and_kernel(20, 20, 20);
  parts.planted_us = 50;
  const Expectation result = expected("host-callback", "fixed", parts, three_tiles);
  REQUIRE(result.of_gpu_us() == 60 + 2 * 20);
  REQUIRE(result.wall_us == 60 + 2 * 20 + 30);
}

TEST_CASE("each GPU sends while the other waits, or both send", "[streams]") {
  const PartTimes parts{.other_us = 100};
  const Expectation broken = expected("peer-copies", "broken", parts, three_tiles);
  REQUIRE(broken.wall_us == 600);
  REQUIRE(broken.gpu_us == 500);
  REQUIRE(broken.sum_us == 300);
  REQUIRE(expected("peer-copies", "fixed", parts, three_tiles).wall_us == 300);
}

TEST_CASE("an all-reduce without room gains nothing, with room it hides", "[streams]") {
  const PartTimes parts{.kernel_us = 100, .other_us = 40};
  REQUIRE(expected("nccl-all-reduce", "broken", parts, three_tiles).wall_us == 420);
  const Expectation without = expected("nccl-all-reduce", "separate-streams", parts, three_tiles);
  REQUIRE(without.wall_us == 420);
  REQUIRE(without.sum_us == 420 + 40);  // One layer is held up by the all-reduce beside it.
  REQUIRE(expected("nccl-all-reduce", "fixed", parts, three_tiles).wall_us == 340);
}

TEST_CASE("a deep pipeline is as fast as its busiest engine", "[streams]") {
  // H  AABBCC
  // K    AABBCC
  // D      AABBCC
  const Expectation result = pipelined(copies_and_kernel(20, 20, 20), three_tiles, 4);
  REQUIRE(result.wall_us == 60 + 2 * 20);
  REQUIRE(result.sum_us == 180);
  REQUIRE(result.overlap_ratio() == 1 - 100.0 / 180);
}

TEST_CASE("copies that share the link set the pace by their time together", "[streams]") {
  const PartTimes parts = copies_and_kernel(20, 24, 10);
  REQUIRE(engine_bound_us(parts) == 24);
  REQUIRE(pipelined(parts, three_tiles, 4).wall_us == 50 + 2 * 24);
  REQUIRE(pipelined(parts, three_tiles, 4).sum_us == 50 + 2 * 58);
}

TEST_CASE("with too few buffers a tile waits for one to leave", "[streams]") {
  // Two buffers: every 30 us a tile of 60 us.
  const PartTimes parts = copies_and_kernel(20, 20, 20);
  REQUIRE(period_us(parts, 2) == 30);
  REQUIRE(period_us(parts, 3) == 20);
  REQUIRE(period_us(parts, 1) == 60);
  REQUIRE(pipelined(parts, three_tiles, 2).wall_us == 60 + 2 * 30);
}

TEST_CASE("a slow host sets the pace", "[streams]") {
  const PartTimes parts = copies_and_kernel(20, 20, 20);
  REQUIRE(paced_by_host(parts, three_tiles, 4, 100).wall_us == 60 + 2 * 100);
  REQUIRE(paced_by_host(parts, three_tiles, 4, 5).wall_us ==
          pipelined(parts, three_tiles, 4).wall_us);
}

TEST_CASE("a staged copy in hides the rest of the tile before it", "[streams]") {
  PartTimes parts = copies_and_kernel(20, 20, 10);
  parts.planted_us = 100;
  const Expectation result = expected("pageable-copy", "broken", parts, three_tiles);
  REQUIRE(result.wall_us == 3 * 100 + 30);
  REQUIRE(result.sum_us == 3 * 130);
}

TEST_CASE("both copy engines work between the kernels, or one", "[streams]") {
  const PartTimes parts = copies_and_kernel(20, 25, 10);
  REQUIRE(expected("two-copy-engines", "broken", parts, three_tiles).wall_us == 3 * 50);
  // In, and out, alone at the ends; twice both together; three kernels.
  REQUIRE(expected("two-copy-engines", "fixed", parts, three_tiles).wall_us == 40 + 2 * 25 + 30);
}

TEST_CASE("copies in one direction take turns", "[streams]") {
  const PartTimes parts = copies_and_kernel(20, 22, 0);
  constexpr Shape four{.tiles = 4};
  REQUIRE(expected("same-direction-copies", "broken", parts, four).wall_us == 80);
  REQUIRE(expected("same-direction-copies", "broken", parts, four).overlap_ratio() == 0);
  REQUIRE(expected("same-direction-copies", "fixed", parts, four).wall_us == 44);
  REQUIRE(expected("same-direction-copies", "fixed", parts, four).overlap_ratio() == 0.5);
}

TEST_CASE("streams that share a queue run as a staircase", "[streams]") {
  // 24 streams on 8 queues: three in each, three rounds of two kernels. The second kernel of a
  // stream runs beside the first of the next: 3 * 3 + 1 steps instead of 3 * 2.
  const PartTimes parts{.kernel_us = 100, .launch_us = 1};
  REQUIRE(expected("queue-alias", "broken", parts, {}).wall_us == 1000);
  REQUIRE(expected("queue-alias", "fixed", parts, {}).wall_us == 600 + 48);
  REQUIRE(expected("queue-alias", "fixed", parts, {}).sum_us == 24 * 6 * 100);
}

TEST_CASE("short kernels run after a long one, or beside it", "[streams]") {
  const PartTimes parts{.kernel_us = 100, .other_us = 250};
  for (const char* name : {"persistent-kernel", "cooperative-kernel"}) {
    REQUIRE(expected(name, "broken", parts, three_tiles).wall_us == 550);
    REQUIRE(expected(name, "fixed", parts, three_tiles).wall_us == 300);
  }
}

TEST_CASE("an urgent kernel waits for a long one, or for one wave of it", "[streams]") {
  // Three waves of 100 us, an urgent kernel of 10, and three copies of 80.
  const PartTimes parts{.d2h_us = 80, .kernel_us = 10, .other_us = 300};
  REQUIRE(expected("priority-inversion", "broken", parts, three_tiles).wall_us == 300 + 10 + 240);
  REQUIRE(expected("priority-inversion", "fixed", parts, three_tiles).wall_us == 100 + 10 + 240);
}

TEST_CASE("one GPU works while the other waits, or both do", "[streams]") {
  const PartTimes parts = copies_and_kernel(20, 25, 10);
  constexpr Shape four{.tiles = 4};
  REQUIRE(expected("multi-gpu-fan-out", "broken", parts, four).wall_us == 200);
  REQUIRE(expected("multi-gpu-fan-out", "broken", parts, four).gpu_us == 150);
  REQUIRE(expected("multi-gpu-fan-out", "broken", parts, four).overlap_ratio() == -0.5);
  REQUIRE(expected("multi-gpu-fan-out", "fixed", parts, four).wall_us == 100);
  REQUIRE(expected("multi-gpu-fan-out", "fixed", parts, four).overlap_ratio() == 0);
}

TEST_CASE("in no case is the fixed variant expected to be slower than the broken one",
          "[streams]") {
  PartTimes parts = copies_and_kernel(150, 165, 130);
  parts.other_us = 1000;
  parts.step_us = 20;
  parts.launch_us = 3;
  parts.round_trip_us = 10;
  parts.planted_us = 600;
  for (const Case& each : all_cases()) {
    INFO(each.name);
    const Expectation broken = each.variants.front().expect(parts, {});
    const Expectation fixed = each.variants.back().expect(parts, {});
    REQUIRE(broken.sum_us > 0);
    REQUIRE(fixed.sum_us > 0);
    if (each.variants.size() == 1 || each.name == "tiny-kernels") continue;
    REQUIRE(fixed.wall_us < broken.wall_us);
  }
}

}  // namespace
}  // namespace lapscope::workloads::streams

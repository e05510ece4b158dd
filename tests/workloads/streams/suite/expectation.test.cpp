#include "workloads/streams/suite/expectation.h"

#include "tests/catch.h"
#include "workloads/streams/suite/case_registry.h"

// Compares expectations with times computed by hand.
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
  REQUIRE(without.sum_us == 420 + 40);  // The all-reduce delays one layer beside it.
  REQUIRE(expected("nccl-all-reduce", "fixed", parts, three_tiles).wall_us == 340);
}

TEST_CASE("a deep pipeline is as fast as its busiest engine", "[streams]") {
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
  // Each tile takes 60 us. With two buffers, a tile therefore ends every 30 us.
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
  // The first copy to the device and the last copy to the host run alone. The other four copies
  // form two pairs. In a pair, a copy to the device overlaps a copy to the host. No kernel overlaps
  // a copy.
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
  // Three streams share each of 8 queues. Each stream runs three rounds, and a round is a pair of
  // kernels. So a queue has 3 * 3 pairs. The second kernel of a pair overlaps the first kernel of
  // the next pair. So each pair adds one kernel time, and the last pair adds two: 3 * 3 + 1.
  //
  // Without sharing, all 24 streams run at once. Each takes 3 * 2 kernel times. The last stream
  // starts after the first round of all streams was issued, which is 48 launches.
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
  // A long kernel has three waves of 100 us, an urgent kernel takes 10 us, and three copies take 80
  // us each.
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
  // Each device has two tiles. The second ends 25 us after the first, which takes 50 us.
  REQUIRE(expected("multi-gpu-fan-out", "fixed", parts, four).wall_us == 75);
  REQUIRE(expected("multi-gpu-fan-out", "fixed", parts, four).sum_us == 2 * 50);
}

TEST_CASE("kernels that are ready early start early, and end in turn", "[streams]") {
  // Input arrives every 20 us, and a kernel takes 40 us. The second kernel waits 20 us, and the
  // third 40 us.
  const PartTimes parts = copies_and_kernel(20, 20, 40);
  REQUIRE(kernels_us(parts, 3, 20) == 40 + 60 + 80);
  // At most 2.5 kernels run at once, so a kernel takes at most 2.5 * 40 = 100 us.
  REQUIRE(kernels_us(parts, 6, 20) == 40 + 60 + 80 + 100 + 100 + 100);
  // With two buffers, kernels do not overlap. While a kernel uses one buffer for 40 us, two copies
  // of 20 us each use the other buffer: a copy to the host, and then a copy to the device.
  REQUIRE(kernels_us(parts, 3, 20, 2) == 40 + 40 + 40);
  // No kernel waits if input takes at least as long as a kernel.
  REQUIRE(kernels_us(parts, 3, 40) == 120);
  REQUIRE(kernels_us(parts, 3, 1000) == 120);
}

// Copies and kernel: 20 us each. Round trip: 5 us. Planted call: 100 us.
constexpr PartTimes planted{.h2d_us = 20,
                            .d2h_us = 20,
                            .h2d_both_us = 20,
                            .d2h_both_us = 20,
                            .kernel_us = 20,
                            .round_trip_us = 5,
                            .planted_us = 100};

// The kernel takes 40 us, longer than each of the copies.
constexpr PartTimes long_kernel{.h2d_us = 20,
                                .d2h_us = 20,
                                .h2d_both_us = 20,
                                .d2h_both_us = 20,
                                .kernel_us = 40,
                                .planted_us = 100};

// Only kernels: one of 100 us and another of 300 us.
constexpr PartTimes kernels{.kernel_us = 100, .other_us = 300, .launch_us = 1};

struct Worked {
  const char* name;
  const char* variant;
  PartTimes parts;
  int tiles;
  double wall_us;
  double sum_us;
};

// Three tiles of 60 us take 180 us one after the other. A pipeline takes 60 + 2 * 20 us.
const Worked worked[] = {
    {"pipeline", "broken", planted, 3, 180, 180},
    {"pipeline", "stream-per-buffer", planted, 3, 100, 180},
    {"pipeline", "fixed", planted, 3, 100, 180},
    {"buffer-depth", "broken", planted, 3, 60 + 2 * 30, 180},
    {"buffer-depth", "triple", planted, 3, 100, 180},
    // Three copies to the device take 3 * 20 us without pause, and the last kernel follows. Almost
    // nothing is copied to the host.
    {"transfer-bound", "control", planted, 3, 80, 120},
    {"iterative-solver", "control", planted, 3, 20 + 3 * 20 + 20, 100},
    // After each tile: the planted call, and a round trip to wait for it.
    {"alloc-in-loop", "broken", planted, 3, 180 + 3 * 105, 180},
    {"free-in-loop", "broken", planted, 3, 180 + 3 * 105, 180},
    {"pinning-in-loop", "broken", planted, 3, 180 + 3 * 105, 180},
    {"register-in-loop", "broken", planted, 3, 180 + 3 * 105, 180},
    {"alloc-in-loop", "fixed", planted, 3, 100, 180},
    {"pinning-in-loop", "fixed", planted, 3, 100, 180},
    // Loading does not block the host.
    {"lazy-loading", "broken", planted, 3, 180 + 3 * 100, 180},
    {"lazy-loading", "fixed", planted, 3, 100, 180},
    // A tile's copy to the host overlaps the next tile's copy to the device, so each tile takes 45
    // us. The last copy to the host follows.
    {"launch-blocking", "broken", planted, 3, 3 * 45 + 20, 180},
    {"sync-stream", "broken", planted, 3, 180 + 3 * 5, 180},
    // The host queries every 30 us, so it loses 15 us per tile on average.
    {"sync-query", "broken", planted, 3, 180 + 3 * (5 + 15), 180},
    {"pageable-output", "broken", planted, 3, 3 * 140, 3 * 140},
    // Between two tiles are 100 us of host work and three launches of 1 us.
    {"host-work", "broken", {20, 20, 20, 20, 20, 0, 0, 0, 1, 0, 100}, 3, 60 + 2 * 103, 180},
    // Two of the four workers do host work of 150 us each, at the same time.
    {"host-work", "fixed", {20, 20, 20, 20, 20, 0, 0, 0, 1, 0, 150}, 3, 150, 180},
    // The callbacks run one after the other, between the kernels.
    {"host-callback", "broken", planted, 3, 60 + 300, 180},
    // The last tile's host work takes 60 us longer than its kernel and its copy to the host
    // together.
    {"host-callback", "fixed", planted, 3, 60 + 2 * 20 + 60, 180},
    // Each device has two tiles, whose kernels run one after the other.
    {"multi-gpu-fan-out", "fixed", long_kernel, 4, 80 + 40, 2 * 80},
    {"multi-gpu-fan-out", "broken", long_kernel, 4, 320, 160},
    // 48 kernels of 1 us are launched, one every 5 us. A graph of all of them takes 60 us.
    {"tiny-kernels", "broken", {.kernel_us = 1, .other_us = 60, .launch_us = 5}, 3, 240, 48},
    {"tiny-kernels", "fixed", {.kernel_us = 1, .other_us = 60, .launch_us = 5}, 3, 60, 48},
    {"tiny-kernels", "fixed", {.kernel_us = 1, .other_us = 60, .launch_us = 5}, 6, 120, 96},
    // The graph has four branches.
    {"graph-chain", "broken", kernels, 3, 400, 400},
    {"graph-chain", "fixed", kernels, 3, 100, 400},
    {"graph-chain", "fixed", kernels, 6, 200, 800},
    // Broken: a callback of 30 us lies between two kernels of 100 us. Fixed: 130 us of callback
    // work overlap the second kernel.
    {"graph-callback", "broken", {.kernel_us = 100, .planted_us = 30}, 3, 230, 200},
    {"graph-callback", "fixed", {.kernel_us = 100, .planted_us = 130}, 3, 230, 200},
    // Of the three kernels, two can run at a time.
    {"sm-filling-kernels", "broken", kernels, 3, 300, 300},
    {"sm-filling-kernels", "half-grid", kernels, 3, 200, 300},
    {"sm-filling-kernels", "fixed", kernels, 3, 200, 300},
    // Three kernels take 100 us each. The long kernel and the kernel that combines take 300 us
    // each.
    {"event-fan-in", "broken", kernels, 4, 600, 900},
    {"event-fan-in", "fixed", kernels, 4, 400, 900},
    // Each of eight streams runs two pairs of kernels. A kernel takes 100 us. Broken: all 16 pairs
    // run in one queue. The second kernel of a pair overlaps the first kernel of the next pair, so
    // the pairs take 17 * 100 us. Fixed: the streams run at once, and the last stream starts after
    // 16 launches of 1 us.
    {"issue-order", "broken", kernels, 3, 1700, 3200},
    {"issue-order", "fixed", kernels, 3, 400 + 16, 3200},
};

TEST_CASE("a closed form gives what is worked out by hand", "[streams]") {
  for (const Worked& each : worked) {
    INFO(each.name << " " << each.variant << ", " << each.tiles << " tiles");
    const Expectation result =
        expected(each.name, each.variant, each.parts, Shape{.tiles = each.tiles});
    CHECK(result.wall_us == each.wall_us);
    CHECK(result.sum_us == each.sum_us);
  }
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

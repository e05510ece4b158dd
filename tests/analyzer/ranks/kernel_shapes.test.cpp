#include "analyzer/ranks/kernel_shapes.h"

#include <algorithm>
#include <random>

#include "analyzer/model/limits.h"
#include "analyzer/ranks/judge_ranks.h"
#include "tests/analyzer/ranks/drawn_ranks.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::drawn_ranks;

constexpr LaunchGeometry small{64, 256, 32, 0};
constexpr LaunchGeometry large{512, 256, 32, 0};

KernelShapes shapes_of(std::vector<KernelShape> kept) {
  KernelShapes shapes{std::move(kept)};
  for (const KernelShape& one : shapes.kept) shapes.time += one.time;
  shapes.busy = shapes.time;
  return shapes;
}

// Two steps. In each, the first half of the ranks compute for 2 ns, and the others, which are late,
// for 7 ns.
//
//   on time  KKRRRRRRRKKRRRRRRR   kernels: 4 ns
//   late     KKKKKKKRRKKKKKKKRR   kernels: 14 ns
//
// Returns the first finding for given kernels of each rank.
RunFinding first_with(const std::vector<KernelShapes>& kernels) {
  std::vector<RankWork> ranks;
  for (std::size_t r = 0; r < kernels.size(); ++r) {
    const bool is_late = r >= kernels.size() / 2;
    ranks.push_back(
        test::drawn_rank(std::to_string(r), is_late ? "KKKKKKKRRKKKKKKKRR" : "KKRRRRRRRKKRRRRRRR"));
    ranks.back().kernels = kernels[r];
  }
  const RunResult run = judge_ranks(std::move(ranks));
  REQUIRE_FALSE(run.findings.empty());
  CHECK(run.findings[0].excess == 10);
  return run.findings[0];
}

TEST_CASE("a rank whose kernels take longer at the same shape is late by longer kernels",
          "[ranks]") {
  const RunFinding first = first_with({shapes_of({{"gemm", small, 2, 3}, {"add", small, 2, 1}}),
                                       shapes_of({{"gemm", small, 2, 12}, {"add", small, 2, 2}})});
  CHECK(first.late_by == LateBy::longer_kernels);
  REQUIRE(first.kernel);
  CHECK(first.kernel->name == "gemm");
  CHECK(first.kernel->late.mean() == 6);
  CHECK(first.kernel->others.mean() == 1.5);
}

TEST_CASE("a rank that launches more kernels is late by more kernels", "[ranks]") {
  const RunFinding first =
      first_with({shapes_of({{"gemm", small, 2, 4}}), shapes_of({{"gemm", small, 7, 14}})});
  CHECK(first.late_by == LateBy::more_kernels);
  REQUIRE(first.kernel);
  CHECK(first.kernel->late.count == 7);
  CHECK(first.kernel->others.count == 2);
}

TEST_CASE("kernels that only the late rank has are more kernels", "[ranks]") {
  const RunFinding first = first_with({shapes_of({{"gemm", small, 2, 4}}),
                                       shapes_of({{"gemm", small, 2, 4}, {"sort", small, 2, 10}})});
  CHECK(first.late_by == LateBy::more_kernels);
  CHECK(first.kernel->name == "sort");
  CHECK(first.kernel->others.count == 0);
}

// As with longer sequences: the kernel has the same name and more blocks.
TEST_CASE("kernels of one name in two shapes are not the same kernels", "[ranks]") {
  const RunFinding first =
      first_with({shapes_of({{"gemm", small, 2, 4}}), shapes_of({{"gemm", large, 2, 14}})});
  CHECK(first.late_by == LateBy::more_kernels);
  CHECK(first.kernel->launch == large);
  CHECK(first.kernel->others.count == 0);
}

// Of the 10 ns, longer kernels are 2 x 2 ns, and a third kernel takes 6 ns; or the other way round.
//
//   others     [gemm ][gemm ]             2 x 2 ns
//   late rank  [gemm   ][gemm   ][sort ]  2 x 4 ns, 6 ns
TEST_CASE("of two reasons, the larger one is named", "[ranks]") {
  const KernelShapes others = shapes_of({{"gemm", small, 2, 4}});
  CHECK(first_with({others, shapes_of({{"gemm", small, 2, 8}, {"sort", small, 1, 6}})}).late_by ==
        LateBy::more_kernels);
  CHECK(first_with({others, shapes_of({{"gemm", small, 2, 10}, {"sort", small, 1, 4}})}).late_by ==
        LateBy::longer_kernels);
}

TEST_CASE("kernels of ranks that are late together are compared on average", "[ranks]") {
  const KernelShapes usual = shapes_of({{"gemm", small, 2, 4}});
  const RunFinding first = first_with(
      {usual, usual, shapes_of({{"gemm", small, 2, 12}}), shapes_of({{"gemm", small, 2, 16}})});
  CHECK(first.ranks.size() == 2);
  CHECK(first.late_by == LateBy::longer_kernels);
  CHECK(first.kernel->late.mean() == 7);
}

// On average, kernels explain 6 of 10 ns. But only one of two late ranks has longer kernels.
TEST_CASE("a cause of most late ranks is named, not one of a few", "[ranks]") {
  const KernelShapes usual = shapes_of({{"gemm", small, 2, 4}});
  const KernelShapes longer = shapes_of({{"gemm", small, 2, 16}});
  const RunFinding first = first_with({usual, usual, longer, usual});
  CHECK(first.ranks.size() == 2);
  CHECK(first.late_by == LateBy::computing);
  CHECK_FALSE(first.kernel);
}

TEST_CASE("kernels that do not explain most of the excess are not named", "[ranks]") {
  const KernelShapes usual = shapes_of({{"gemm", small, 2, 4}});
  CHECK(first_with({usual, shapes_of({{"gemm", small, 2, 9}})}).late_by == LateBy::computing);
  CHECK(first_with({usual, shapes_of({{"gemm", small, 2, 10}})}).late_by == LateBy::longer_kernels);
  // Summaries of older versions have no kernels.
  CHECK(first_with({{}, shapes_of({{"gemm", small, 2, 14}})}).late_by == LateBy::computing);
  CHECK_FALSE(first_with({usual, {}}).kernel);
  // Rank 0 has 6 ns of kernels that are not kept. It may have run `sort`, too.
  KernelShapes cut = usual;
  cut.time += 6;
  const KernelShapes sorting = shapes_of({{"gemm", small, 2, 4}, {"sort", small, 2, 10}});
  CHECK(first_with({cut, sorting}).late_by == LateBy::computing);
}

// The late rank is late by a copy. Kernels of another stream run beside the kernels of the usual
// stream, and add no time.
TEST_CASE("kernels beside other kernels are no reason to be late", "[ranks]") {
  const KernelShapes usual = shapes_of({{"gemm", small, 2, 4}});
  KernelShapes beside = shapes_of({{"gemm", small, 2, 4}, {"norm", small, 2, 10}});
  CHECK(first_with({usual, beside}).late_by == LateBy::more_kernels);
  beside.busy = 5;
  CHECK(first_with({usual, beside}).late_by == LateBy::computing);
}

TEST_CASE("kernels of unknown geometry may be larger, and do not count as longer", "[ranks]") {
  const KernelShapes usual = shapes_of({{"gemm", {}, 2, 4}});
  CHECK(first_with({usual, shapes_of({{"gemm", {}, 2, 14}})}).late_by == LateBy::computing);
  CHECK(first_with({usual, shapes_of({{"gemm", {}, 7, 14}})}).late_by == LateBy::more_kernels);
  // Only one rank has geometries.
  CHECK(first_with({usual, shapes_of({{"gemm", small, 7, 14}})}).late_by == LateBy::computing);
  CHECK(
      first_with({shapes_of({{"gemm", small, 2, 4}}), shapes_of({{"gemm", {}, 7, 14}})}).late_by ==
      LateBy::computing);
}

// Communication takes half of the multiprocessors at most. The late rank's kernels run beside it
// for 2 ns, and may take 1 ns longer for this reason.
TEST_CASE("time that kernels may lose beside communication is left out", "[ranks]") {
  auto ranks = drawn_ranks({"KKRR", "KKRR"});
  for (RankWork& rank : ranks) rank.lost = {0, 0.5};
  ranks[1].other_work = IntervalSet::union_of({ranks[1].whole});
  ranks[0].kernels = shapes_of({{"gemm", small, 1, 2}});
  ranks[1].kernels = shapes_of({{"gemm", small, 1, 4}});
  const std::vector<std::uint32_t> late = {1};
  CHECK(compare_kernels(ranks, late, ranks[0].whole).at(0).longer == 1);
  ranks[1].lost.most = 0;
  CHECK(compare_kernels(ranks, late, ranks[0].whole).at(0).longer == 2);
}

// The window has three steps. The interval `judged` of rank 0 is the whole run with its set-up, and
// that of rank 1 is two steps.
//
//           set-up window
//   rank 0  K....  KKRRRRRRRKKRRRRRRRKKRRRRRRR
//   rank 1  .....  KKKKKKKRRKKKKKKKRRKKKKKKKRR
TEST_CASE("kernels are scaled to the window by the communication in both", "[ranks]") {
  auto ranks = drawn_ranks({"K....KKRRRRRRRKKRRRRRRRKKRRRRRRR",  //
                            ".....KKKKKKKRRKKKKKKKRRKKKKKKKRR"});
  ranks[0].kernels = shapes_of({{"gemm", small, 3, 6}, {"fill", small, 1, 1}});
  ranks[1].kernels = shapes_of({{"gemm", small, 2, 14}});
  const Ns begin = ranks[0].whole.start + 5;
  const Interval window{begin, begin + 27};
  const std::vector<std::uint32_t> late = {1};
  ranks[1].judged = {begin, begin + 18};
  const KernelComparison compared = compare_kernels(ranks, late, window).at(0);
  CHECK(compared.longest.late.count == Approx(3));
  CHECK(compared.longest.others.count == Approx(3));
  CHECK(compared.longer == Approx(15));
  CHECK(compared.more == Approx(-2));  // `fill` ran before the window, which is not known
  ranks[1].judged = {begin, begin + 9};
  CHECK(compare_kernels(ranks, late, window).empty());  // most of the window is not judged
  ranks[1].judged = window;
  CHECK(compare_kernels(ranks, late, {begin, begin + 14}).empty());  // `judged` is mostly outside
}

// Both ranks run the same kernels in the window. In the set-up of rank 0, there is much
// communication, but no kernel.
//
//           set-up    window
//   rank 0  B.B.B.B.  KKRRRRRRRKKRRRRRRR
//   rank 1  ........  KKKKKKKRRKKKKKKKRR
TEST_CASE("a set-up with communication does not make kernels more", "[ranks]") {
  auto ranks = drawn_ranks({"B.B.B.B.KKRRRRRRRKKRRRRRRR",  //
                            "........KKKKKKKRRKKKKKKKRR"});
  for (RankWork& rank : ranks) rank.kernels = shapes_of({{"gemm", small, 2, 4}});
  const Interval window{ranks[0].whole.start + 8, ranks[0].whole.end};
  ranks[1].judged = window;
  const std::vector<std::uint32_t> late = {1};
  CHECK(compare_kernels(ranks, late, window).at(0).more == Approx(0).margin(1e-9));
}

TEST_CASE("longer and more kernels together are the difference of all kept kernels",
          "[ranks][laws]") {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    auto ranks = drawn_ranks({"KR", "KR", "KR", "KR"});
    double difference = 0;
    const std::vector<bool> late = {false, true, round % 2 == 0, false};
    std::vector<std::uint32_t> late_ranks = {1};
    if (late[2]) late_ranks.push_back(2);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const auto of_its_kind = static_cast<double>(std::ranges::count(late, late[r]));
      for (const char* name : {"gemm", "add", "sort", "copy"}) {
        if (random() % 3 == 0 && std::string_view(name) != "gemm") continue;
        const auto count = static_cast<std::int64_t>(1 + random() % 9);
        const auto time = static_cast<Ns>(random() % 1000);
        ranks[r].kernels.kept.push_back({name, random() % 2 ? small : large, count, time});
        ranks[r].kernels.time += time;
        difference += (late[r] ? 1 : -1) * static_cast<double>(time) / of_its_kind;
      }
    }
    const auto comparisons = compare_kernels(ranks, late_ranks, ranks[0].whole);
    REQUIRE(comparisons.size() == 1 + late_ranks.size());
    const KernelComparison& compared = comparisons[0];
    CHECK(compared.longer + compared.more == Approx(difference).margin(1e-6));
  }
}

struct DrawnKernels {
  Names names;
  Ops ops;

  void add(std::uint32_t name, Interval time, std::int64_t blocks) {
    ops.name.push_back(name);
    ops.kind.push_back(OpKind::kernel);
    ops.start.push_back(time.start);
    ops.end.push_back(time.end);
    ops.geometry.push_back(blocks == 0 ? no_index : static_cast<std::uint32_t>(blocks - 1));
  }
};

TEST_CASE("kernels are counted by name and geometry, without communication", "[ranks]") {
  DrawnKernels drawn;
  const std::uint32_t gemm = drawn.names.add("gemm");
  const std::uint32_t nccl = drawn.names.add("ncclDevKernel_AllReduce");
  drawn.ops.geometries = {small, large};
  drawn.add(gemm, {0, 9}, 1);  // begins before
  drawn.add(gemm, {10, 13}, 1);
  drawn.add(nccl, {12, 20}, 1);
  drawn.add(gemm, {13, 17}, 2);
  drawn.add(gemm, {20, 25}, 1);
  drawn.add(gemm, {26, 27}, 0);
  drawn.add(gemm, {30, 39}, 1);  // begins after
  const KernelShapes shapes = kernel_shapes(drawn.names, drawn.ops, {false, false, true}, {10, 30});
  REQUIRE(shapes.kept.size() == 3);
  CHECK(shapes.kept[0].name == "gemm");
  CHECK(shapes.kept[0].launch == small);
  CHECK(shapes.kept[0].count == 2);
  CHECK(shapes.kept[0].time == 8);
  CHECK(shapes.kept[1].launch == large);
  CHECK(shapes.kept[2].launch == LaunchGeometry{});
  CHECK(shapes.time == 13);
  CHECK(shapes.busy == 13);
}

TEST_CASE("kernels that run at the same time are busy once", "[ranks]") {
  DrawnKernels drawn;
  drawn.add(drawn.names.add("f"), {2, 10}, 0);
  for (const Interval time : {Interval{4, 6}, Interval{8, 14}, Interval{20, 21}}) {
    drawn.add(0, time, 0);
  }
  const KernelShapes shapes = kernel_shapes(drawn.names, drawn.ops, {}, {0, 30});
  CHECK(shapes.time == 17);
  CHECK(shapes.busy == 13);
}

TEST_CASE("of many shapes, those that take most time are kept", "[ranks]") {
  DrawnKernels drawn;
  Ns all = 0;
  for (Ns length = 1; length <= 100; ++length) {
    drawn.add(drawn.names.add("f" + std::to_string(length)), {0, length}, 0);
    all += length;
  }
  const KernelShapes shapes = kernel_shapes(drawn.names, drawn.ops, {}, {0, 1});
  REQUIRE(shapes.kept.size() == limits::kernel_shapes);
  CHECK(shapes.kept.front().name == "f100");
  CHECK(shapes.kept.back().time == 100 - static_cast<Ns>(limits::kernel_shapes) + 1);
  CHECK(shapes.time == all);
}

}  // namespace
}  // namespace lapscope::analyzer

#include "workloads/scan/rungs/ladder.h"

#include <algorithm>
#include <set>
#include <string>

#include "tests/catch.h"
#include "workloads/harness/guard.h"
#include "workloads/scan/bench/cases.h"
#include "workloads/scan/bench/memory.h"
#include "workloads/scan/bench/prove.h"
#include "workloads/scan/bench/verify.h"

namespace lapscope::workloads::scan {
namespace {

TEST_CASE("the ladder has every rung once, from one core to CUB", "[scan]") {
  REQUIRE(rungs().size() == 15);
  REQUIRE(rungs().front() == &cpu_sequential);
  REQUIRE(rungs().back() == &cub_scan);
  std::set<std::string_view> names;
  for (const Rung* rung : rungs()) {
    names.insert(rung->name);
    REQUIRE(&find_rung(rung->name) == rung);
    REQUIRE_FALSE(rung->change.empty());
    REQUIRE(rung->passes(1 << 20) >= 2);
    REQUIRE(rung->supports({ElementType::u32, Operator::sum}));
  }
  REQUIRE(names.size() == rungs().size());
}

TEST_CASE("an unknown rung lists the valid ones", "[scan]") {
  REQUIRE_THROWS_AS(find_rung("fast"), UsageError);
}

TEST_CASE("general rungs support everything", "[scan]") {
  for (const Rung* rung : {&cpu_sequential, &cpu_threads, &propagate, &reduce, &shuffle,
                           &look_back_warp, &contender}) {
    for (const Combination combination : combinations()) {
      INFO(rung->name);
      REQUIRE(can_scan(*rung, combination, std::uint64_t{1} << 32));
    }
  }
  REQUIRE_FALSE(can_scan(block_tree, {}, block_tree.max_n + 1));
}

TEST_CASE("the sizes tested surround the tile and respect the limits", "[scan]") {
  const auto sizes = sizes_for(look_back_warp, std::uint64_t{1} << 32);
  REQUIRE(std::ranges::is_sorted(sizes));
  for (const std::uint64_t n : {std::uint64_t{0}, look_back_warp.tile - 1, look_back_warp.tile,
                                look_back_warp.tile + 1, (std::uint64_t{1} << 31) + 17}) {
    REQUIRE(std::ranges::count(sizes, n) == 1);
  }
  REQUIRE(sizes_for(look_back_warp, 3000).back() == 3000);
  REQUIRE(sizes_for(block_hillis_steele, std::uint64_t{1} << 32).back() == 1024);
}

TEST_CASE("u8 is never scanned in place", "[scan]") {
  for (const Case& entry : cases_for(contender, 3000)) {
    if (entry.combination.type == ElementType::u8) REQUIRE(entry.placement != Placement::in_place);
  }
}

TEST_CASE("real f32 are summed only where the bound would show a lost element", "[scan]") {
  REQUIRE(bound_means_something(cpu_sequential, 3000));
  REQUIRE_FALSE(bound_means_something(cpu_sequential, 10'000));
  REQUIRE(bound_means_something(contender, contender.tile + 1));
  REQUIRE_FALSE(bound_means_something(contender, 10'000'000));
  std::uint64_t largest = 0;
  for (const Case& entry : cases_for(contender, std::uint64_t{1} << 32)) {
    if (entry.fill != Fill::real) continue;
    REQUIRE(entry.combination == Combination{ElementType::f32, Operator::sum});
    largest = std::max(largest, entry.n);
  }
  REQUIRE(largest == contender.tile + 1);
}

TEST_CASE("a case counts the workspace of a rung that copies the array", "[scan]") {
  const Case entry{.rung = &contender, .combination = {ElementType::u8, Operator::sum}, .n = 100};
  REQUIRE(bytes_for(entry) == 500);
  const Case copies{.rung = &global_hillis_steele, .n = 100};
  REQUIRE(bytes_for(copies) == 1200);
}

TEST_CASE("too little memory is said in numbers, and skips", "[scan]") {
  REQUIRE_NOTHROW(require_memory(1, 1000, 1000, "device"));
  REQUIRE_THROWS_AS(require_memory(1, 1001, 1000, "device"), SkippedError);
  try {
    require_memory(1 << 30, std::uint64_t{8} << 30, std::uint64_t{3} << 30, "device");
    FAIL("it must throw");
  } catch (const SkippedError& error) {
    REQUIRE(std::string(error.what()) ==
            "1073741824 elements need 8192 MiB of device memory and 3072 MiB are free; ask for "
            "fewer");
  }
}

TEST_CASE("the checks on the host find every error that is planted", "[scan]") {
  REQUIRE_NOTHROW(prove_host_checks());
}

TEST_CASE("a matrix can be narrowed to some sizes and one combination", "[scan]") {
  const Combination f32_max{ElementType::f32, Operator::max};
  const Verdict verdict = verify_rung(cpu_sequential, {1000, 3000}, f32_max, nullptr);
  REQUIRE(verdict.wrong == 0);
  REQUIRE(verdict.skipped == 0);
  // 1337 and 3000; inclusive and exclusive; random, constant, misaligned, in place.
  REQUIRE(verdict.cases == 2 * 2 * 4);
}

TEST_CASE("the rungs of the CPU are right in every case", "[scan]") {
  Workspace workspace;
  for (const Rung* rung : {&cpu_sequential, &cpu_threads}) {
    const auto cases = cases_for(*rung, 1 << 17);
    REQUIRE(cases.size() > 500);
    for (Case entry : cases) REQUIRE(run_case(entry, workspace, nullptr).empty());
    // Several threads, with parts of unequal size.
    for (const Combination combination : combinations()) {
      const Case entry{.rung = rung, .combination = combination, .n = (1 << 17) + 5};
      REQUIRE(run_case(entry, workspace, nullptr).empty());
    }
  }
}

}  // namespace
}  // namespace lapscope::workloads::scan

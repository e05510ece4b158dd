#include <algorithm>
#include <set>
#include <string_view>

#include "tests/catch.h"
#include "workloads/harness/guard.h"
#include "workloads/scan/bench/verify.h"

namespace lapscope::workloads::scan {
namespace {

constexpr std::uint64_t beyond_32_bits = (std::uint64_t{1} << 32) + 17;

TEST_CASE("the ladder has every rung once, from one core to CUB", "[scan]") {
  REQUIRE(rungs().size() == 7);
  REQUIRE(rungs().front() == &cpu_sequential);
  REQUIRE(rungs().back() == &cub_scan);
  std::set<std::string_view> names;
  for (const Rung* rung : rungs()) {
    names.insert(rung->name);
    REQUIRE(&find_rung(rung->name) == rung);
    REQUIRE_FALSE(rung->change.empty());
  }
  REQUIRE(names.size() == rungs().size());
  REQUIRE_THROWS_AS(find_rung("fast"), UsageError);
}

TEST_CASE("the sizes tested rise, and go on beyond 32 bits", "[scan]") {
  const auto sizes = awkward_sizes();
  REQUIRE(std::ranges::is_sorted(sizes));
  REQUIRE(std::ranges::adjacent_find(sizes) == sizes.end());
  REQUIRE(sizes.front() == 0);
  REQUIRE(sizes.back() == beyond_32_bits);
}

TEST_CASE("a rung that scans any n is tried with every type, kind and placement", "[scan]") {
  for (const Rung* rung : {&scan_then_propagate, &contender, &cub_scan}) {
    const auto cases = cases_for(*rung, awkward_sizes());
    const auto tried = [&](const Case& entry) { return std::ranges::count(cases, entry) == 1; };
    for (const Type type : all_types) {
      for (const Kind kind : {Kind::inclusive, Kind::exclusive}) {
        REQUIRE(tried({type, kind, Placement::aligned, beyond_32_bits}));
        for (const std::uint64_t n :
             std::vector<std::uint64_t>{0, 1, 8063, 8064, 8065, 10'000'000}) {
          REQUIRE(tried({type, kind, Placement::aligned, n}));
          REQUIRE(tried({type, kind, Placement::misaligned, n}));
          REQUIRE(tried({type, kind, Placement::in_place, n}));
        }
      }
    }
  }
}

TEST_CASE("a rung of one block is tried up to what it holds", "[scan]") {
  REQUIRE(cases_for(block_hillis_steele, awkward_sizes()).back().n == 1024);
  REQUIRE(cases_for(block_tree, awkward_sizes()).back().n == 2048);
  REQUIRE(cases_for(block_tree_padded, {4096}).empty());
}

TEST_CASE("the rung of the CPU is right in every case", "[scan]") {
  auto sizes = awkward_sizes();
  std::erase_if(sizes, [](std::uint64_t n) { return n > 1 << 17; });
  const Verdict verdict = verify_rung(cpu_sequential, sizes, nullptr);
  REQUIRE(verdict.wrong == 0);
  REQUIRE(verdict.skipped == 0);
  REQUIRE(verdict.cases == static_cast<int>(2 * std::size(all_types) * sizes.size()));
  REQUIRE(verdict.largest == 65'537);
}

TEST_CASE("a wrong result is a sentence that says which and where", "[scan]") {
  const auto fives = [](const ScanCall& call) {
    std::ranges::fill_n(static_cast<std::uint32_t*>(call.out), static_cast<long>(call.n), 5U);
  };
  const Rung broken{.name = "broken", .change = "", .scan = fives, .on_cpu = true};
  Workspace workspace;
  REQUIRE(run_case(broken, {.kind = Kind::exclusive, .n = 1000}, workspace, nullptr) ==
          "broken: exclusive u32, 1000 elements, aligned: element 0 is wrong");
}

}  // namespace
}  // namespace lapscope::workloads::scan

#include "workloads/scan/bench/cases.h"

#include <algorithm>

#include "workloads/scan/problem/float_bound.h"

namespace lapscope::workloads::scan {
namespace {

constexpr std::uint64_t large = 10'000'000;

// Several turns for blocks that stay: whole tiles of the contender, and one element more.
constexpr std::uint64_t several_turns = 238 * 8064;

constexpr Combination f32_sum{ElementType::f32, Operator::sum};

// Of real f32, the mean of the magnitudes.
constexpr double average = 0.5;

}  // namespace

std::vector<std::uint64_t> sizes_for(const Rung& rung, std::uint64_t max_n) {
  std::vector<std::uint64_t> sizes{0,
                                   1,
                                   31,
                                   32,
                                   33,
                                   rung.tile - 1,
                                   rung.tile,
                                   rung.tile + 1,
                                   1337,
                                   3000,
                                   several_turns,
                                   several_turns + 1,
                                   large,
                                   std::uint64_t{1} << 28,
                                   (std::uint64_t{1} << 31) + 17};
  std::erase_if(sizes, [&](std::uint64_t n) { return n > std::min(rung.max_n, max_n); });
  std::ranges::sort(sizes);
  const auto repeats = std::ranges::unique(sizes);
  sizes.erase(repeats.begin(), repeats.end());
  return sizes;
}

std::vector<Case> cases_for(const Rung& rung, std::uint64_t max_n) {
  std::vector<Case> cases;
  for (const Combination combination : combinations()) {
    if (!rung.supports(combination)) continue;
    const bool one_type = input_bytes(combination.type) == output_bytes(combination.type);
    for (const std::uint64_t n : sizes_for(rung, max_n)) {
      for (const Kind kind : {Kind::inclusive, Kind::exclusive}) {
        const auto add = [&](Fill fill, Placement placement) {
          cases.push_back({&rung, combination, kind, fill, placement, n});
        };
        add(Fill::random, Placement::aligned);
        if (n > large) continue;
        add(Fill::constant, Placement::aligned);
        add(Fill::random, Placement::misaligned);
        if (one_type) add(Fill::random, Placement::in_place);
        if (combination == f32_sum && bound_means_something(rung, n)) {
          add(Fill::real, Placement::aligned);
        }
      }
    }
  }
  return cases;
}

bool bound_means_something(const Rung& rung, std::uint64_t n) {
  return float_error_bound(roundings_of(n, rung.depth(n)), average * static_cast<double>(n)) <=
         average;
}

std::uint64_t bytes_for(const Case& entry) {
  const std::uint64_t in = entry.n * input_bytes(entry.combination.type);
  const std::uint64_t out = entry.n * output_bytes(entry.combination.type);
  const std::uint64_t workspace = entry.rung != nullptr && entry.rung->copies_array ? out : 0;
  return in + (entry.placement == Placement::in_place ? 0 : out) + workspace;
}

}  // namespace lapscope::workloads::scan

#include "workloads/scan/rungs/ladder.h"

#include <algorithm>
#include <array>
#include <string>

#include "workloads/harness/guard.h"

namespace lapscope::workloads::scan {
namespace {

constexpr std::array<const Rung*, 15> ladder{
    &cpu_sequential,
    &cpu_threads,
    &block_hillis_steele,
    &block_tree,
    &block_tree_padded,
    &global_hillis_steele,
    &propagate,
    &reduce,
    &shuffle,
    &chained,
    &look_back_thread,
    &look_back_warp,
    &contender,
    &bulk,
    &cub_scan,
};

}  // namespace

std::span<const Rung* const> rungs() { return ladder; }

const Rung& find_rung(std::string_view name) {
  std::string valid;
  for (const Rung* rung : ladder) {
    if (rung->name == name) return *rung;
    valid.append(valid.empty() ? "" : ", ").append(rung->name);
  }
  throw UsageError("--rung must be one of " + valid + ", not '" + std::string(name) + "'");
}

bool can_scan(const Rung& rung, Combination combination, std::uint64_t n) {
  return rung.supports(combination) && n <= rung.max_n;
}

}  // namespace lapscope::workloads::scan

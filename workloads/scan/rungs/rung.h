#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "workloads/scan/problem/combination.h"
#include "workloads/scan/rungs/workspace.h"

namespace lapscope::workloads::scan {

// One scan to do. `in` and `out` hold `n` elements, in host memory for the rungs of the CPU, in
// device memory for all others. They are aligned to their own type; alignment to 16 bytes is
// faster. `in` may be `out` where both have the same type; otherwise they do not overlap.
struct ScanCall {
  Combination combination;
  Kind kind = Kind::inclusive;
  const void* in = nullptr;
  void* out = nullptr;
  std::uint64_t n = 0;
  Workspace* workspace = nullptr;  // Not used by the rungs of the CPU.
  cudaStream_t stream = nullptr;   // The rungs of the CPU return when they have finished.
  const void* seed = nullptr;  // One result in device memory that lies to the left of the array.
};

// One step of the ladder: a way to scan, with what to expect of it.
struct Rung {
  static constexpr std::uint64_t any_n = std::numeric_limits<std::uint64_t>::max();

  std::string_view name;
  std::string_view change;  // What it does differently from the rung before, in one sentence.
  // How many times the array crosses the memory interface, reads and writes each counted. A copy
  // has 2, so that 2 / passes is the ceiling as a share of a copy.
  double (*passes)(std::uint64_t n);
  // The largest number of roundings that an element passes through on its way to any result, for
  // float_error_bound. A result of few elements has fewer: see Expectation.
  std::uint64_t (*depth)(std::uint64_t n);
  bool (*supports)(Combination combination);
  void (*scan)(const ScanCall& call);
  std::uint64_t max_n = any_n;
  std::uint64_t tile = 1;  // Elements per block: tile - 1, tile, tile + 1 are sizes worth a test.
  bool on_cpu = false;
  bool takes_seed = false;
  bool single_pass = false;       // Blocks wait for each other: tortured with other kernels around.
  bool (*runs_here)() = nullptr;  // Empty: on every GPU. Otherwise asks the current device.
  bool copies_array = false;      // Its workspace is as large as the result; all others are small.
};

// In the order of the lecture, and then of history. Not empty.
std::span<const Rung* const> rungs();

// Throws UsageError, listing the names.
const Rung& find_rung(std::string_view name);

// Whether the rung can do this. Says nothing about memory.
bool can_scan(const Rung& rung, Combination combination, std::uint64_t n);

}  // namespace lapscope::workloads::scan

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "workloads/scan/rungs/problem.h"
#include "workloads/scan/rungs/workspace.h"

namespace lapscope::workloads::scan {

// One scan to do. `in` and `out` hold `n` elements, in host memory for a rung of the CPU, in device
// memory for all others, and may be the same. They are aligned to their own type; alignment to 16
// bytes is faster.
struct ScanCall {
  Type type = Type::u32;
  Kind kind = Kind::inclusive;
  const void* in = nullptr;
  void* out = nullptr;
  std::uint64_t n = 0;
  Workspace* workspace = nullptr;  // Not used by a rung of the CPU.
  cudaStream_t stream = nullptr;   // A rung of the CPU returns when it has finished.
  const void* seed = nullptr;      // For the contender: one value in device memory that lies to the
                                   // left of the array.
};

// One step of the ladder: a way to scan.
struct Rung {
  static constexpr std::uint64_t any_n = std::numeric_limits<std::uint64_t>::max();

  std::string_view name;
  std::string_view change;  // What it does differently from the rung before.
  void (*scan)(const ScanCall& call);
  std::uint64_t max_n = any_n;
  bool on_cpu = false;
};

extern const Rung cpu_sequential;
extern const Rung block_hillis_steele;
extern const Rung block_tree;
extern const Rung block_tree_padded;
extern const Rung scan_then_propagate;
extern const Rung contender;
extern const Rung cub_scan;

// From one core to CUB.
std::span<const Rung* const> rungs();

// Throws UsageError, listing the names.
const Rung& find_rung(std::string_view name);

// *seed = *last: the last result of one scan by the contender lies to the left of the next.
void hand_on_carry(const std::uint32_t* last, std::uint32_t* seed, cudaStream_t stream);

}  // namespace lapscope::workloads::scan

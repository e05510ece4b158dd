#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "workloads/scan/rungs/problem.h"
#include "workloads/scan/rungs/workspace.h"

namespace lapscope::workloads::scan {

// A scan to make. `in` and `out` have `n` elements and may be the same array. They are in host
// memory for a rung of the CPU, and in device memory for all other rungs. They must be aligned to
// the type of the elements. If they are aligned to 16 bytes, the scan is faster.
struct ScanCall {
  Type type = Type::u32;
  Kind kind = Kind::inclusive;
  const void* in = nullptr;
  void* out = nullptr;
  std::uint64_t n = 0;
  Workspace* workspace = nullptr;  // Not used by a rung of the CPU.
  cudaStream_t stream = nullptr;   // A rung of the CPU ignores it and returns when finished.
  const void* seed = nullptr;      // For the contender: a value in device memory that is added to
                                   // all sums.
};

// One rung of the ladder: a scan implementation.
struct Rung {
  static constexpr std::uint64_t any_n = std::numeric_limits<std::uint64_t>::max();

  std::string_view name;
  std::string_view change;  // The difference from the previous rung.
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

// Returns all rungs, from one core to CUB.
std::span<const Rung* const> rungs();

// Throws UsageError, which lists the names.
const Rung& find_rung(std::string_view name);

// Sets *seed = *last, in `stream`. `last` is the last result of a scan, and `seed` is the seed of
// the contender's next scan.
void hand_on_carry(const std::uint32_t* last, std::uint32_t* seed, cudaStream_t stream);

}  // namespace lapscope::workloads::scan

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/scan/bench/arrays.h"
#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

// One entry of the correctness matrix.
struct Case {
  Type type = Type::u32;
  Kind kind = Kind::inclusive;
  Placement placement = Placement::aligned;
  std::uint64_t n = 0;

  friend bool operator==(const Case&, const Case&) = default;
};

// Returns the sizes to test, in ascending order: 0, 1, odd sizes, and sizes with indices beyond 32
// bits. It also returns sizes near the capacity of a warp, of a rung's tile, of a level of totals,
// and of all blocks that run at once on an H200.
std::vector<std::uint64_t> awkward_sizes();

// Returns the cases of a rung: all types and kinds, in all sizes that it can scan. Sizes up to 10^7
// elements are also tested misaligned and in place. A rung of the CPU is tested with at most 10^7
// elements, and only aligned.
std::vector<Case> cases_for(const Rung& rung, const std::vector<std::uint64_t>& sizes);

// Runs a case. Checks every element, and the guards around the output. Returns a sentence about the
// first error, or "". A rung of the CPU ignores `stream`.
std::string run_case(const Rung& rung, const Case& entry, Workspace& workspace,
                     cudaStream_t stream);

struct Verdict {
  int cases = 0;
  int wrong = 0;    // stderr has a sentence for each.
  int skipped = 0;  // Memory did not suffice.
  std::uint64_t largest = 0;
};

Verdict verify_rung(const Rung& rung, const std::vector<std::uint64_t>& sizes, cudaStream_t stream);

}  // namespace lapscope::workloads::scan

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

// None, one, and the sizes around a warp, a tile of each rung, a level of totals, and as many tiles
// as an H200 holds blocks; odd ones; and such whose indices do not fit into 32 bits. Ascending.
std::vector<std::uint64_t> awkward_sizes();

// All cases of a rung at those of the sizes that it can scan: every type, inclusive and exclusive;
// up to 10^7 elements also misaligned and in place. A rung of the CPU: up to 10^7, and aligned.
std::vector<Case> cases_for(const Rung& rung, const std::vector<std::uint64_t>& sizes);

// Runs a case and checks every element, and that nothing beside the output was written. Returns a
// sentence about what is wrong; empty if all is right. A rung of the CPU needs no stream.
std::string run_case(const Rung& rung, const Case& entry, Workspace& workspace,
                     cudaStream_t stream);

struct Verdict {
  int cases = 0;
  int wrong = 0;    // For each a sentence on stderr.
  int skipped = 0;  // For want of memory.
  std::uint64_t largest = 0;
};

Verdict verify_rung(const Rung& rung, const std::vector<std::uint64_t>& sizes, cudaStream_t stream);

}  // namespace lapscope::workloads::scan

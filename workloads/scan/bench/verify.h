#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/scan/bench/cases.h"

namespace lapscope::workloads::scan {

struct Verdict {
  int cases = 0;
  int wrong = 0;
  int skipped = 0;  // For want of memory.
};

// In elements.
struct Sizes {
  std::uint64_t smallest = 0;
  std::uint64_t largest = 0;
};

// What the rung must give.
Expectation expectation_of(const Case& entry);

// Runs a case and checks every element, and that nothing beside the output was written.
//
// Returns a sentence about what is wrong; empty if all is right.
std::string run_case(const Case& entry, Workspace& workspace, cudaStream_t stream);

// Runs the cases of a rung of these sizes, of one combination or of all. Prints one sentence per
// wrong case on stderr. A rung of the CPU needs no stream.
Verdict verify_rung(const Rung& rung, const Sizes& sizes, std::optional<Combination> only,
                    cudaStream_t stream);

}  // namespace lapscope::workloads::scan

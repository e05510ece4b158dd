#pragma once

#include "workloads/scan/bench/cases.h"

namespace lapscope::workloads::scan {

struct Verdict {
  int cases = 0;
  int wrong = 0;
  int skipped = 0;  // For want of device memory.
};

// Runs a case and checks every element, and that nothing beside the output was written.
//
// Returns a sentence about what is wrong; empty if all is right.
std::string run_case(const Case& entry, Workspace& workspace, cudaStream_t stream);

// Runs all cases of a rung up to `max_n` elements. Prints one sentence per wrong case on stderr.
Verdict verify_rung(const Rung& rung, std::uint64_t max_n, cudaStream_t stream);

// Spoils one element of a right result in turn for both ways of checking. Throws
// std::runtime_error if a check does not notice: then its silence proves nothing.
void prove_checks(cudaStream_t stream);

}  // namespace lapscope::workloads::scan

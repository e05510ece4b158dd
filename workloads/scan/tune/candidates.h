#pragma once

#include <string>
#include <vector>

#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

// One design with one choice of its parameters, for sums of u32 and u64.
struct Candidate {
  std::string name;
  void (*scan)(const ScanCall& call);
  // False for the ceilings: the same kernel that takes what lies to the left for nothing. Its
  // results are wrong, and its time is what remains to the memory.
  bool looks_back = true;
};

std::vector<Candidate> classic_candidates();   // One block per tile.
std::vector<Candidate> prefetch_candidates();  // Blocks that stay, next tiles under way.
std::vector<Candidate> bulk_candidates();      // Bulk copies and warps with roles.

}  // namespace lapscope::workloads::scan

#pragma once

#include <string>
#include <vector>

#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

// Of the time of a block, from 0 to 1.
struct Shares {
  double waits = 0;  // The warps that scan stand at the barrier behind which a prefix is known.
  double resolves =
      0;  // The warp that finds the prefix reads and waits for totals; 0 if none does.
};

// One design with one choice of its parameters, for sums of u32 and u64 where not said otherwise.
struct Candidate {
  std::string name;
  void (*scan)(const ScanCall& call);
  // False for the ceilings: the same kernel that takes what lies to the left for nothing. Its
  // results are wrong, and its time is what remains to the memory.
  bool looks_back = true;
  Shares (*take_shares)() = nullptr;  // Since the last call; null where they are not measured.
};

std::vector<Candidate> classic_candidates();  // One block per tile.
std::vector<Candidate> early_candidates();    // Blocks that stay, totals published a turn early.
std::vector<Candidate> large_candidates();    // The same with one block per multiprocessor.
std::vector<Candidate> bulk_candidates();     // The same with bulk copies.
std::vector<Candidate> wide_candidates();     // For u64 only, where an array is a few turns long.

}  // namespace lapscope::workloads::scan

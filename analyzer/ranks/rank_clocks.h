#pragma once

#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// The differences between the clocks of the ranks' hosts and the clock of the first rank's host.
struct RankClocks {
  std::vector<Ns> offsets;  // by rank: ns to add to its times; 0 on the first rank's host
  // The greatest error of an offset in ns, over all hosts. 0 if all ranks ran on one host.
  Ns error = 0;
  // Whether there is a host for which no single clock offset fits all collectives. In this case,
  // its clock was changed during the run, or it drifted too much.
  bool is_contradicted = false;
  // Whether the offset of a host is not known, because the host has no collective with the first
  // host.
  bool is_unknown = false;
};

// Finds the offsets between the clocks of hosts. The ranks of one host share one clock. In a
// collective that joins all ranks, no kernel ends before the last kernel has started. Let a be a
// kernel of the collective on one host, b a kernel of the collective on another host, and d the
// time to add to b's clock. Then
//
//   a.start - b.end  <  d  <  a.end - b.start
//
// holds for each collective. The greatest left side and the least right side are the bounds of d.
// The offset is the middle of the bounds, and the error is half of their distance. If two ranks
// have the same number of kernels with a given name, the k-th of these kernels on one rank and the
// k-th on the other rank count as one collective.
RankClocks rank_clocks(std::span<const RankWork> ranks);

}  // namespace lapscope::analyzer

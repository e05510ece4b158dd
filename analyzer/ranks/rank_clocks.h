#pragma once

#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// The clocks of the hosts that the ranks ran on, fitted to the clock of the first rank's host.
struct RankClocks {
  std::vector<Ns> offsets;  // by rank: added to its instants; 0 on the first one's host
  // How far an offset may be off, at most, of all hosts. 0 where all ranks ran on one.
  Ns error = 0;
  // Collectives that contradict any one offset: a clock was set, or drifted by more than they
  // allow.
  bool is_contradicted = false;
  // A host other than the first has no collective with it, so that its offset is not known.
  bool is_unknown = false;
};

// Ranks of one host have one clock. Between hosts, no kernel of a collective that joins all ranks
// ends before the last one starts. Where rank a runs on one host and rank b on another, and d is
// added to b's instants,
//
//   a.start - b.end  <  d  <  a.end - b.start
//
// holds for each of them, so that the greatest of the left sides and the least of the right ones
// bound d. The offset is in the middle, and its error half the distance. Kernels are matched by
// their order, where ranks have equally many of a name.
RankClocks rank_clocks(std::span<const RankWork> ranks);

}  // namespace lapscope::analyzer

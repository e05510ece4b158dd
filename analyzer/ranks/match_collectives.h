#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// One collective of all ranks.
struct MatchedCollective {
  CollectiveKind kind = CollectiveKind::other;
  std::vector<std::uint32_t> members;  // by rank: in RankWork::collectives
  std::vector<Interval> times;         // likewise: on the clock that the ranks share

  std::uint32_t last() const;  // the rank that starts last; of equals the first
  Ns last_start() const;
  Ns end() const;  // the first end: from there on a rank has all that it needs
};

struct Matches {
  std::vector<MatchedCollective> collectives;  // by last start
  // By rank: collectives that join all ranks, and for which another rank has none.
  std::vector<std::int64_t> unmatched;
  std::int64_t others = 0;  // communication kernels that need not join all ranks, of all of them
};

// Which kernels of the ranks are one collective: those of one name in the k-th stream that
// communicates on each rank, in order. Two that do not overlap are not one, as no kernel of such a
// collective ends before the last one has started:
//
//   rank 0  [AllReduce ~~~~~~~~]      [AllReduce ]
//   rank 1            [AllReduce]     [AllReduce ]
//                      last start
//
// `offsets` is what is added to instants, by rank (RankClocks).
Matches match_collectives(std::span<const RankWork> ranks, std::span<const Ns> offsets);

}  // namespace lapscope::analyzer

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// What a rank costs the others by starting collectives last.
struct Lateness {
  std::int64_t last = 0;  // collectives that it started last
  // Time in which only this rank was missing, the one that came before it had nothing else to do,
  // and this rank did not wait for another rank itself: what the run saves where this rank comes
  // when that one did, and nothing else delays it.
  Ns alone_ns = 0;
  Ns of_messages = 0;  // likewise, in sends and receives between two ranks, as far as not in that
};

// By rank, of the collectives that begin in the window. Where ranks of several hosts take part,
// whose clocks may be off by `error`, what is less counts as nothing. Time counts once, however
// many ranks and collectives wait in it:
//
//   rank 0  [all-reduce of 0 and 1        ]
//   rank 1  [kernel][all-reduce of 1 and 2][all-reduce of 0 and 1]    late, but for rank 2 alone
//   rank 2  idle                 [all-reduce of 1 and 2]              late
std::vector<Lateness> lateness(std::span<const RankWork> ranks, std::span<const Ns> offsets,
                               const Matches& matches, const Interval& window, Ns error);

// Collectives of one kind in a row, between which no rank computes: one of all their data could
// take their place.
struct SmallCollectives {
  std::int64_t collectives = 0;  // in such rows
  Bytes most_bytes = 0;          // of one; 0 where it is not known
  Ns row_ns = 0;                 // that these rows last
  // What the run saves at most: the time of the rows, less one transfer each. That transfer takes
  // as long as the quickest of the kind, and what the others took beyond that.
  Ns saving = 0;
};

SmallCollectives small_collectives(std::span<const RankWork> ranks, std::span<const Ns> offsets,
                                   const Matches& matches, const Interval& window);

}  // namespace lapscope::analyzer

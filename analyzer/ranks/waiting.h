#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// What a rank costs the other ranks by starting collectives last.
struct Lateness {
  std::int64_t last = 0;  // collectives that it started last
  // The time in ns for which three things are true: this rank was the only one missing in a
  // collective, it did not itself wait for another rank, and the rank that started second last had
  // nothing else to do. The run saves this time if this rank starts as early as the rank that
  // started second last, and nothing else delays the collective.
  Ns alone_ns = 0;
  Ns of_messages = 0;  // the same for sends and receives; excludes alone_ns
};

// Returns the lateness of each rank in the collectives that begin in the window. `error` is the
// error of the clocks in ns. In a collective of several hosts, a lateness of at most `error` does
// not count. Each instant counts only once, even if several ranks or collectives wait in it:
//
//   rank 0  [all-reduce of 0 and 1        ]
//   rank 1  [kernel][all-reduce of 1 and 2][all-reduce of 0 and 1]    late, but only due to rank 2
//   rank 2  idle                 [all-reduce of 1 and 2]              late
std::vector<Lateness> lateness(std::span<const RankWork> ranks, const Matches& matches,
                               const Interval& window, Ns error);

// Rows of collectives of one kind. No rank computes between two collectives of a row. A single
// collective with all data of a row could replace that row.
struct SmallCollectives {
  std::int64_t collectives = 0;  // number of collectives in such rows
  Bytes most_bytes = 0;          // of the largest one; 0 if not known
  Ns row_ns = 0;                 // the total time of the rows
  // The most that the run may save, in ns. Each row saves its time minus the time of one merged
  // transfer. Let q be the time of the quickest transfer of this kind. The merged transfer takes q,
  // plus (t - q) for each transfer of the row, where t is the time of that transfer.
  Ns saving = 0;
};

SmallCollectives small_collectives(std::span<const RankWork> ranks, const Matches& matches,
                                   const Interval& window);

}  // namespace lapscope::analyzer

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// Returns how much later the last rank began a collective than the rank before it, in ns. Returns 0
// if no rank waited for the last rank. For example, a send that ended before its receive began
// needed no other rank. If the ranks are on several hosts, also returns 0 for a difference of at
// most `clock_error`.
Ns late_by(const MatchedCollective& one, std::span<const RankWork> ranks, Ns clock_error);

// The collectives that a rank began last.
struct Lateness {
  std::int64_t last = 0;  // number of these collectives
  // Sum of late_by() over these collectives, in ns, limited to the greatest Ns. The same instant
  // may be part of several summands.
  Ns sum = 0;
};
// Returns the lateness of each rank in the collectives that begin in the window.
std::vector<Lateness> lateness(std::span<const RankWork> ranks, const Matches& matches,
                               const Interval& window, Ns clock_error);

// Rows of collectives of one kind. No rank computes between two collectives of a row. A single
// collective with all data of a row could replace that row.
struct SmallCollectives {
  std::int64_t collectives = 0;  // number of collectives in such rows
  Bytes most_bytes = 0;          // of the largest one; 0 if not known
  Ns row_ns = 0;                 // the total time of the rows
  // By collective: how long its transfer takes if it is merged into the one before, in ns. Let q be
  // the time of the quickest transfer of this kind. The first transfer of a row keeps its recorded
  // length. Each other transfer takes q less than recorded, because a single transfer needs q only
  // once.
  std::vector<std::optional<Ns>> merged;
};

SmallCollectives small_collectives(std::span<const RankWork> ranks, const Matches& matches,
                                   const Interval& window);

}  // namespace lapscope::analyzer

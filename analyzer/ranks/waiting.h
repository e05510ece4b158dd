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

// Compares two members of a collective. Returns by how many ns `late` began later than `before`.
// Returns 0 if `before` did not wait for `late`, for example if `before` is a send that ended
// before its receive began. Also returns 0 if the difference may be an error of the two clocks.
// `clock_errors` is RankClocks::errors.
Ns late_after(const MatchedCollective::Member& late, const MatchedCollective::Member& before,
              std::span<const RankWork> ranks, std::span<const Ns> clock_errors);

// Returns how much later, in ns, the last rank began than the second last rank (late_after()).
// Returns 0 if the clocks leave open which rank was the last.
Ns late_by(const MatchedCollective& one, std::span<const RankWork> ranks,
           std::span<const Ns> clock_errors);

// The collectives that one rank began after all other ranks.
struct Lateness {
  std::int64_t last = 0;  // number of these collectives
  // The sum of late_by() over these collectives, in ns. Collectives may overlap, so an instant may
  // count several times.
  Ns sum = 0;
};
// Returns the lateness of each rank in the collectives that begin in the window.
std::vector<Lateness> lateness(std::span<const RankWork> ranks, const Matches& matches,
                               const Interval& window, std::span<const Ns> clock_errors);

// A set of ranks: for each rank of the run, whether this rank is in the set.
using RankSet = std::vector<bool>;

// Returns the member outside `set` that began last. Null if there is none.
const MatchedCollective::Member* last_outside(const MatchedCollective& one, const RankSet& set);

// Returns the ranks that begin collectives clearly later than the others, the latest first.
// The lateness of a rank in a collective is the time from the first begin of any rank to the begin
// of this rank. Ranks are ordered by mean lateness, and divided at the largest gap. The late ranks
// are at most half of all:
//
//   mean lateness  0  1 2                             20 21     the last two are late
//
// Pairs of a send and a receive do not count, because the stages of a pipeline wait for each other
// by turns. A gap between two ranks does not count if the error of their clocks may be as large. If
// no gap counts, no rank is late.
std::vector<std::uint32_t> late_ranks(std::span<const RankWork> ranks, const Matches& matches,
                                      const Interval& window, std::span<const Ns> clock_errors);

// Returns the number of collectives in which a rank of `set` begins last, after all ranks outside
// `set` (late_after()). Counts only collectives that begin in the window and have ranks outside
// `set`.
std::int64_t last_of(const RankSet& set, std::span<const RankWork> ranks, const Matches& matches,
                     const Interval& window, std::span<const Ns> clock_errors);

// A row has successive collectives of one kind and one communicator. Between these collectives, the
// ranks of the communicator compute nothing, and have no other collective. One collective could
// replace a row.
struct SmallCollectives {
  std::int64_t collectives = 0;  // number of collectives in rows
  Bytes most_bytes = 0;          // of the largest of these collectives; 0 if not known
  Ns row_ns = 0;                 // the time in ns that rows cover
  // By collective: the new length of its transfer in ns, if the collective is merged into the
  // previous collective of its row. nullopt for the first collective of a row, and for collectives
  // outside rows. The list is empty if there are no rows.
  //
  // The quickest transfer of the same communicator and kernel name is taken as the part that every
  // transfer needs. Merged transfers need this part only once. So the new length is the recorded
  // length minus the length of the quickest transfer.
  std::vector<std::optional<Ns>> merged;
};

SmallCollectives small_collectives(std::span<const RankWork> ranks, const Matches& matches,
                                   const Interval& window);

}  // namespace lapscope::analyzer

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

// Returns how much later, in ns, `late` began a collective than `before`, another member. Returns 0
// if `before` did not wait for `late`, for example if `before` is a send that ended before its
// receive began. Also returns 0 if the difference may be an error of the two clocks. `clock_errors`
// is RankClocks::errors.
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
// Lateness in a collective is the time since its first member began. Ranks are ordered by mean
// lateness, and divided at the largest gap. The late ranks are at most half of all:
//
//   mean lateness  0  1 2                             20 21     the last two
//
// Ignores pairs, because stages of a pipeline begin them by turns. Ignores gaps that may be errors
// of the two clocks. Empty if there is no other gap.
std::vector<std::uint32_t> late_ranks(std::span<const RankWork> ranks, const Matches& matches,
                                      const Interval& window, std::span<const Ns> clock_errors);

// Returns how many collectives that begin in the window are begun last by a rank of `set`, after
// all ranks outside `set` (late_after()). A collective without ranks outside `set` does not count.
std::int64_t last_of(const RankSet& set, std::span<const RankWork> ranks, const Matches& matches,
                     const Interval& window, std::span<const Ns> clock_errors);

// A row has successive collectives of one kind and one communicator. Between these collectives, the
// ranks of the communicator compute nothing, and have no other collective. One collective could
// replace a row.
struct SmallCollectives {
  std::int64_t collectives = 0;  // number of collectives in rows
  Bytes most_bytes = 0;          // of the largest of these collectives; 0 if not known
  Ns row_ns = 0;                 // the time in ns that rows cover
  // By collective: the new length of the transfer in ns, if the collective is merged into the
  // previous collective of its row. Merged transfers need the time of the quickest transfer of this
  // kind only once. So the new length is the recorded length minus the length of the quickest
  // transfer. nullopt for the first collective of a row, and for collectives outside rows.
  std::vector<std::optional<Ns>> merged;
};

SmallCollectives small_collectives(std::span<const RankWork> ranks, const Matches& matches,
                                   const Interval& window);

}  // namespace lapscope::analyzer

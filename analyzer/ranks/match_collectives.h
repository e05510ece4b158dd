#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// Kernels of several ranks that wait for each other: a collective, or sends with their receives.
struct MatchedCollective {
  struct Member {
    std::uint32_t rank = 0;
    std::uint32_t kernel = 0;  // in RankWork::collectives
    Interval time;             // on the clock that the ranks share
    // When the last rank of those that it needs something of has started; within `time`. Of a
    // kernel that ends before, its start: it did not wait for that rank.
    Ns ready = 0;
  };

  CollectiveKind kind = CollectiveKind::other;
  Bytes bytes = 0;              // of the first member; 0 where it is not known
  std::vector<Member> members;  // by rank; two at least, but of a run of one rank

  const Member& last() const;  // that starts last; of equals the first
  Ns last_start() const { return last().time.start; }
  Ns end() const;  // the first end: from there on a rank has all that it needs
};

struct Matches {
  std::vector<MatchedCollective> collectives;  // by last start
  // By rank: kernels that join all ranks of a communicator, or send and receive, and for which
  // another rank has none.
  std::vector<std::int64_t> unmatched;
  // By rank: collectives of its communicators that other members have and it has not.
  std::vector<std::int64_t> absent;
  std::int64_t others = 0;  // kernels of which it is not known whom they join, of all ranks
  bool by_stream = false;   // the communicator of some that are matched is not recorded
};

// Kernels that join all ranks of a communicator, of one name and size.
struct JoiningKernels {
  struct OfRank {
    std::uint32_t rank = 0;
    std::vector<std::uint32_t> kernels;  // in RankWork::collectives, in order
  };
  bool by_stream = false;  // no communicator is recorded
  // Ranks that have some, in order; all of them where the communicator is not recorded.
  std::vector<OfRank> members;
};

// If kernels of one name have no communicator on at least one rank, the kernels of that name on all
// ranks are matched by stream: the k-th stream of a rank that communicates stands for the same
// communicator on each.
std::vector<JoiningKernels> joining_kernels(std::span<const RankWork> ranks);

// Which kernels of the ranks are one collective: the k-th of each rank in joining_kernels(). Two
// that do not overlap are not one, as no kernel of such a collective ends before the last one has
// started:
//
//   rank 0  [AllReduce ~~~~~~~~]      [AllReduce ]
//   rank 1            [AllReduce]     [AllReduce ]
//                      last start
//
// For sends and receives see match_messages(). `offsets` is what is added to instants, by rank
// (RankClocks).
Matches match_collectives(std::span<const RankWork> ranks, std::span<const Ns> offsets);

}  // namespace lapscope::analyzer

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// Kernels of several ranks that wait for each other: one collective, or sends and their receives.
struct MatchedCollective {
  struct Member {
    std::uint32_t rank = 0;
    std::uint32_t kernel = 0;  // index in RankWork::collectives
    Interval time;             // on the clock that the ranks share
    // The latest start among the ranks whose data this kernel needs. Leaves out ranks that started
    // after the end of this kernel, because the kernel did not wait for them.
    Ns ready = 0;
  };

  CollectiveKind kind = CollectiveKind::other;
  // Whether this is one send with its receive, as between stages of a pipeline (match_messages()).
  bool is_pair = false;
  Bytes bytes = 0;              // of the first member; 0 where it is not known
  std::vector<Member> members;  // by rank; at least two, or one in a run of one rank

  const Member& last() const;  // the member that starts last; of equals, the first
  Ns last_start() const { return last().time.start; }
  // Returns the earliest end of a member. At this time, one rank has all the data that it needs. If
  // this end is before the last start because of errors of the hosts' clocks, returns the last
  // start.
  Ns end() const;
};

struct Matches {
  std::vector<MatchedCollective> collectives;  // by last start
  // By rank: the number of kernels without a counterpart on another rank. Counts only kernels that
  // join all ranks of a communicator, or that send or receive.
  std::vector<std::int64_t> unmatched;
  // By rank: the number of collectives that the rank lacks, but other members of its communicators
  // have.
  std::vector<std::int64_t> absent;
  std::int64_t others = 0;  // kernels of all ranks whose counterparts are not known
  bool by_stream = false;   // some are matched by stream, without a communicator
};

// Kernels of one name and size that join all ranks of one communicator.
struct JoiningKernels {
  struct OfRank {
    std::uint32_t rank = 0;
    std::vector<std::uint32_t> kernels;  // in RankWork::collectives, in order
  };
  bool by_stream = false;  // whether a rank does not show the communicator of its kernels
  // The ranks with these kernels, in order. If the communicator is not known, also ranks without
  // these kernels.
  std::vector<OfRank> members;
};

// Groups the kernels that join all ranks of a communicator, by communicator, name and size.
//
// For some kernels, neither the communicator nor the size is recorded. lapscope assumes that such a
// kernel has the communicator of other kernels:
// - kernels in the same stream of the same rank,
// - if these have no recorded communicator: kernels of other ranks in the stream with the same
//   index.
//
// If these other kernels have no communicator, or several, none is assumed. A group then has the
// kernels of one name in all streams with the same index.
//
// A group that has a kernel without a size is not divided by size.
std::vector<JoiningKernels> joining_kernels(std::span<const RankWork> ranks);

// Finds the kernels of different ranks that are one collective. In each group of joining_kernels(),
// the k-th kernels of all ranks are one collective. The kernels of a collective overlap: no kernel
// ends before the last kernel has started.
//
//   rank 0  [AllReduce ~~~~~~~~]      [AllReduce ]
//   rank 1            [AllReduce]     [AllReduce ]
//                      last start
//
// If one of the k-th kernels ends before another of them starts, it is skipped. The next kernel of
// its rank is then tried instead.
//
// For sends and receives, see match_messages(). The ranks must be on one clock
// (move_to_common_clock()). `clock_errors` has the errors of this clock (RankClocks::errors).
Matches match_collectives(std::span<const RankWork> ranks, std::span<const Ns> clock_errors = {});

}  // namespace lapscope::analyzer

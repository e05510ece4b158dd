#pragma once

#include <span>

#include "analyzer/ranks/match_collectives.h"

namespace lapscope::analyzer {

// Joins the kernels that send with those that receive: the k-th message from one rank of a
// communicator to another, of one size, is one on both. A receive does not end before its send has
// started; a send may, as small messages are buffered:
//
//   stage 0  [compute][Send]         a pair
//   stage 1  [Recv ~~~~~~~~][compute]
//
// Kernels that several messages join are one exchange, if each rank has one of them: an all-to-all.
// A rank of a communicator is the one that its own trace says; where none says so, they are in
// order of the ranks. Adds to `matches`: what is joined, and what is not as unmatched.
void match_messages(std::span<const RankWork> ranks, std::span<const Ns> offsets, Matches& matches);

}  // namespace lapscope::analyzer

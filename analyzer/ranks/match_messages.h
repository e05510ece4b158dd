#pragma once

#include <span>

#include "analyzer/ranks/match_collectives.h"

namespace lapscope::analyzer {

// Matches the kernels that send with the kernels that receive. A and B are two ranks of a
// communicator. The k-th send of a size from A to B belongs to the k-th receive of this size by B
// from A. A receive does not end before its send has started. A send may end before its receive has
// started, because small messages are buffered:
//
//   stage 0  [compute][Send]         a pair
//   stage 1  [Recv ~~~~~~~~][compute]
//
// If messages connect several kernels, and each rank has only one of these kernels, the kernels are
// one exchange, such as an all-to-all. Otherwise each send and its receive are one exchange.
//
// The trace of a process may say which rank of a communicator the process is. If no trace says so,
// the ranks of the communicator are assumed to be in the order of the ranks of the run. Adds the
// exchanges to `matches`. Adds the number of all other send and receive kernels to
// `matches.unmatched`.
void match_messages(std::span<const RankWork> ranks, Matches& matches);

}  // namespace lapscope::analyzer

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/ranks/match_collectives.h"

namespace lapscope::analyzer {

// All messages of one size from one rank to another. If every message was recorded, the k-th send
// belongs to the k-th receive.
struct MessageRoute {
  std::uint32_t sender = 0;  // index of the rank
  std::uint32_t receiver = 0;
  std::vector<std::uint32_t> sends;     // in RankWork::collectives of the sender
  std::vector<std::uint32_t> receives;  // in RankWork::collectives of the receiver
};

// Returns the routes of all messages. If no trace tells the rank of its process in a communicator,
// the ranks in the communicator are assumed to have the order of the run's ranks.
std::vector<MessageRoute> message_routes(std::span<const RankWork> ranks);

// Matches the kernels that send with the kernels that receive. Let A and B be two ranks of a
// communicator. The k-th send of a size from A to B belongs to the k-th receive of this size by B
// from A. A receive does not end before its send has started. A send may end before its receive has
// started, because small messages are buffered:
//
//   stage 0  [compute][Send]         a pair
//   stage 1  [Recv ~~~~~~~~][compute]
//
// Some were not recorded if the numbers of sends and receives differ, if a receive ends before the
// k-th send begins, or if most receives overlap longer with the send after the k-th. Then a send
// belongs to the receive with which it overlaps longest:
//
//   stage 0  [Send ][Send ][Send ]
//   stage 1         [Recv ][Recv ]    its first receive was not recorded
//
// Kernels that messages connect are one exchange, such as an all-to-all, if each rank has only one
// of these kernels. Otherwise each send and its receive are one exchange.
//
// An exchange of two kernels is a pair (MatchedCollective::is_pair) if at least one kernel only
// sends to the other rank, or only receives from it, in this communicator. If all their kernels do
// both, the ranks exchange data as in an all-to-all.
//
// Adds the exchanges to `matches`. Counts send and receive kernels without an exchange in
// `matches.unmatched`.
void match_messages(std::span<const RankWork> ranks, std::span<const Ns> clock_errors,
                    Matches& matches);

}  // namespace lapscope::analyzer

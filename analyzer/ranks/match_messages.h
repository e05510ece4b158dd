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

// Returns the routes of all messages. If no trace has the rank of a process in a communicator, the
// members of this communicator are assumed to be in the order of the run's ranks.
std::vector<MessageRoute> message_routes(std::span<const RankWork> ranks);

// Matches kernels that send with kernels that receive. Send k from rank A to rank B belongs to
// receive k of B from A. Messages of different sizes are counted separately. A receive does not end
// before its send has started. A send may end before its receive has started, because small
// messages are buffered:
//
//   stage 0  [compute][Send]         a pair
//   stage 1  [Recv ~~~~~~~~][compute]
//
// In these cases, some kernels are assumed to be missing in the traces:
// - The numbers of sends and receives differ.
// - A receive ends before its send begins.
// - For most k, receive k overlaps longer with send k + 1 than with send k:
//
//   stage 0  [Send ][Send ][Send ]
//   stage 1         [Recv ][Recv ][Recv ]    the first receive and the last send are missing
//
// A send then belongs to the receive with which it overlaps longest.
//
// One kernel may have messages with kernels of several ranks. Kernels that are connected by
// messages are one exchange, such as an all-to-all, if they are all on different ranks. If two of
// them are on the same rank, each send with its receive is an exchange.
//
// An exchange of two kernels is a pair (MatchedCollective::is_pair) if their two ranks are stages
// of a pipeline. Two ranks of a communicator are assumed to be stages if at least one kernel of one
// rank only sends to the other rank, or only receives from the other rank.
//
// Adds exchanges to `matches`. Counts the kernels without an exchange in `matches.unmatched`.
void match_messages(std::span<const RankWork> ranks, std::span<const Ns> clock_errors,
                    Matches& matches);

}  // namespace lapscope::analyzer

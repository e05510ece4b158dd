#pragma once

#include <vector>

#include "analyzer/graph/program.h"

namespace lapscope::analyzer {

// Calls of a thread that asked the same again and again until the answer was yes, several questions
// in turn perhaps: the steps [first, last], one after the other. The first stands for all of them,
// and the others take no time.
struct Poll {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// The synchronisation record of a step's call; null when it has none.
const Synchronization* record_of(const Trace& trace, const HostSteps& host, std::uint32_t step);

// What a query asked. No two questions are equal but those of one stream, or of one record of an
// event.
struct Question {
  SyncKind kind = SyncKind::unknown;
  std::uint32_t pid = 0;
  std::uint32_t of = no_index;  // the stream, or the event's Synchronization::event_sync

  friend auto operator<=>(const Question&, const Question&) = default;
};
Question question_of(const Synchronization& record);

// All polls of two calls and more, by their first step.
//
// A query that asks something else in between belongs to the poll: two events are polled in turn
// until both have happened, or either. One that asks before or after does not, and neither does one
// without a record, of which it is not known what it asked.
//
//   thread  q1 q2 q1 q2 q1   q3   q4 q4 q4
//           [one poll    ]        [another]
std::vector<Poll> polls_of(const Trace& trace, const HostSteps& host);

}  // namespace lapscope::analyzer

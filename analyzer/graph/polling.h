#pragma once

#include <vector>

#include "analyzer/graph/program.h"

namespace lapscope::analyzer {

// Consecutive calls of a thread that may be polls: queries, and calls between them that issue
// nothing, such as cudaGetLastError. The row ends at a call between queries that is longer than the
// latest query. Such a long call does work of its own.
//
//   thread  qq g qq g qq      one row
//   thread  qq gggggg qq      two rows
class PollRow {
 public:
  // Whether the next call of the thread belongs to the row.
  bool takes(CallKind kind, Ns length) {
    if (kind == CallKind::query) query_ = length;
    return kind == CallKind::query || (kind == CallKind::other && length <= query_);
  }

 private:
  Ns query_ = 0;  // the length of the latest query
};

// The steps [first, last] of one row (PollRow): queries that repeat one or several questions until
// the answer is yes, and the calls between these queries. The first step has the length of the
// whole poll. The other steps have length 0.
struct Poll {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// The synchronisation record of a step's call. Null if the call has none.
const Synchronization* record_of(const Trace& trace, const HostSteps& host, std::uint32_t step);

// What a query asks about: a stream, or one cudaEventRecord of an event.
struct Question {
  SyncKind kind = SyncKind::unknown;
  std::uint32_t pid = 0;
  std::uint32_t of = no_index;  // the stream, or the event's Synchronization::event_sync

  friend auto operator<=>(const Question&, const Question&) = default;
};
Question question_of(const Synchronization& record);

// Returns all polls of at least two calls, sorted by first step. A poll may ask several questions
// in turn, for example about two events. A query between two queries of a poll belongs to this
// poll, too. A query without a record cannot begin or end a poll, because its question is not
// known.
//
//   thread  q1 q2 q1 q2 q1   q3   q4 q4 q4
//           [one poll    ]        [another]
std::vector<Poll> polls_of(const Trace& trace, const HostSteps& host);

}  // namespace lapscope::analyzer

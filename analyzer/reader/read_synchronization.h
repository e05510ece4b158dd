#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/synchronization.h"
#include "analyzer/reader/read_calls.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Both lists are by start of the call, and by call, of equal starts.
struct ReadSynchronization {
  std::vector<Synchronization> synchronizations;
  std::vector<EventRecord> event_records;
  std::int64_t without_call = 0;  // records of either sort left out for want of their call
};

// What a trace tells of waits on purpose and of events. Tables that are absent hold nothing,
// columns that are absent are not told. 28 and 24 bytes a record.
ReadSynchronization read_synchronization(schema::Database& database, const ReadCalls& calls);

}  // namespace lapscope::analyzer

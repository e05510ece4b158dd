#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

enum class SyncKind : std::uint8_t {  // ENUM_CUPTI_SYNC_TYPE
  unknown,
  event,              // the host waits for an event, or asks whether it has happened
  stream_wait_event,  // a stream waits, not the host
  stream,             // the host waits for a stream, or asks whether it is empty
  context,            // the host waits for all streams of a context
};

// One synchronisation record: what a call waited for, or made a stream wait for. A query also has a
// record (its call has CallKind::query), but does not wait. Hidden waits, as in cudaFree and
// blocking copies, have no record.
//
// A stream_wait_event without an event_sync waits for nothing: no cudaEventRecord of its event came
// before, or the wait was captured into a graph.
struct Synchronization {
  std::uint32_t call = 0;  // in Trace::calls
  std::uint32_t pid = 0;
  SyncKind kind = SyncKind::unknown;
  std::uint32_t stream = no_index;   // id in the process; no_index when none
  std::uint32_t context = no_index;  // of the stream or event; id in the process
  std::uint32_t event = no_index;    // id in the process, used again for later events
  // EventRecord::event_sync of the awaited cudaEventRecord. 0: none.
  std::uint32_t event_sync = 0;
};

struct EventRecord {
  std::uint32_t call = 0;  // in Trace::calls
  std::uint32_t pid = 0;
  std::uint32_t stream = no_index;   // id in the process
  std::uint32_t context = no_index;  // id in the process
  std::uint32_t event = no_index;    // id in the process, used again for later events
  // The id of this record, unique in the process. 0 if it is not known or the call was captured.
  std::uint32_t event_sync = 0;
};

}  // namespace lapscope::analyzer

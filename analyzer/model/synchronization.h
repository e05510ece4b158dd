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

// One synchronisation record: what a call waited for, or made a stream wait for. A query has such a
// record, too, and waits for nothing: its call has CallKind::query. Hidden waits (cudaFree,
// blocking copies) have no record.
//
// A stream_wait_event without an event_sync waits for nothing that the trace has: the event had not
// been recorded, or the wait was captured into a graph.
struct Synchronization {
  std::uint32_t call = 0;  // in Trace::calls
  std::uint32_t pid = 0;
  SyncKind kind = SyncKind::unknown;
  std::uint32_t stream = no_index;   // id in the process; no_index when none
  std::uint32_t context = no_index;  // of the stream or event; id in the process
  std::uint32_t event = no_index;    // id in the process, used again for later events
  // Which record of the event is waited for: its EventRecord::event_sync. 0 when none.
  std::uint32_t event_sync = 0;
};

// One cudaEventRecord.
struct EventRecord {
  std::uint32_t call = 0;  // in Trace::calls
  std::uint32_t pid = 0;
  std::uint32_t stream = no_index;   // id in the process
  std::uint32_t context = no_index;  // id in the process
  std::uint32_t event = no_index;    // id in the process, used again for later events
  // Unique in the process. 0 when captured into a graph, or not known.
  std::uint32_t event_sync = 0;
};

}  // namespace lapscope::analyzer

#pragma once

#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/record_view.h"
#include "collector/decode/call_chains.h"
#include "collector/decode/event_numbers.h"
#include "collector/decode/kernel_names.h"
#include "collector/decode/nvtx_ranges.h"
#include "collector/decode/recode.h"
#include "collector/decode/stretch.h"
#include "collector/schema/global_id.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::decode {

// The id that CUPTI and nsys use if there is no stream, event or device.
inline constexpr std::uint32_t not_applicable = 0xFFFFFFFF;

// The state that the decoders of all kinds share: the trace to write to, and facts from earlier
// records.
struct DecodeContext {
  DecodeContext(trace::TraceWriter& writer, const cupti::CuptiApi& cupti, std::uint32_t process,
                std::int64_t start_utc_ns, request::Capture capture, std::int64_t first_use = 0)
      : trace(writer),
        pid(process),
        session_start(start_utc_ns),
        stretch(std::move(capture), first_use),
        kernel_names(writer),
        api_names(writer, cupti),
        chains(writer) {}

  trace::TraceWriter& trace;
  const std::uint32_t pid;
  const std::int64_t session_start;  // utc ns
  Stretch stretch;
  KernelNames kernel_names;
  ApiNames api_names;
  CallChains chains;
  NvtxRanges nvtx;
  PayloadTexts payloads;
  EventNumbers events;
  std::unordered_map<std::uint32_t, std::uint32_t> device_of_context;
  std::unordered_map<std::uint32_t, std::uint32_t> context_of_stream;
  // Contexts that rows of waits or events refer to, but whose records have not been decoded yet.
  // These rows have no device so far.
  std::unordered_set<std::uint32_t> unplaced_contexts;
  std::unordered_set<std::uint32_t> named_threads;
  // The last graph node that a thread made, and its row. For a clone, CUPTI reports two events:
  // first the creation of the node, and then the cloning. The row of the cloning replaces the row
  // of the creation.
  struct MadeNode {
    std::uint64_t node;
    std::int64_t rowid;
    std::uint32_t type;
  };
  std::unordered_map<std::uint32_t, MadeNode> made_nodes;
  // The number of invalid timestamps in the record that is being decoded. The Decoder sums up these
  // numbers.
  std::int64_t invalid_timestamps = 0;
  std::int64_t markers_outside = 0;  // records of marks and ranges outside the captured interval

  // Converts a CUPTI timestamp to session time, in ns. A lost timestamp, which is 0 in CUPTI's
  // record, becomes -1.
  std::int64_t time(std::uint64_t timestamp) const {
    if (timestamp == 0) return -1;
    // Subtracts as unsigned numbers, which cannot overflow.
    return static_cast<std::int64_t>(timestamp - static_cast<std::uint64_t>(session_start));
  }

  // Converts both ends of an activity to session time, in ns. Counts an interval in
  // invalid_timestamps if a time is lost, or if the end is before the start. The activity is
  // written nevertheless. Its row shows that the activity happened, but not when.
  std::pair<std::int64_t, std::int64_t> interval(std::uint64_t start, std::uint64_t end) {
    if (start == 0 || end == 0 || end < start) ++invalid_timestamps;
    return {time(start), time(end)};
  }

  // Converts the only timestamp of a record to session time, in ns. Counts a lost timestamp in
  // invalid_timestamps.
  std::int64_t instant(std::uint64_t timestamp) {
    if (timestamp == 0) ++invalid_timestamps;
    return time(timestamp);
  }

  std::int64_t global_pid() const { return schema::global_pid(pid); }

  std::uint32_t device_of(std::uint32_t context) const {
    const auto known = device_of_context.find(context);
    return known == device_of_context.end() ? not_applicable : known->second;
  }

  // Returns the same as device_of(). If the device is not known yet, also stores the context in
  // unplaced_contexts, so that Decoder::place_waits() sets the device in the row later.
  std::uint32_t device_of_wait(std::uint32_t context) {
    const std::uint32_t device = device_of(context);
    if (device == not_applicable) unplaced_contexts.insert(context);
    return device;
  }

  template <class Row, class Record>
  void place(Row& row, const cupti::RecordView<Record>& op) {
    std::tie(row.start, row.end) = interval(op->start, op->end);
    row.deviceId = op->deviceId;
    row.contextId = op->contextId;
    row.streamId = op->streamId;
    row.correlationId = op->correlationId;
    row.globalPid = global_pid();
    if constexpr (requires { row.graphNodeId; }) {
      row.graphNodeId = id_or_null(op->graphNodeId);
      row.graphId = id_or_null(op->graphId);
      if (op.has(&Record::channelType)) {
        row.channelId = op->channelID;
        row.channelType = op->channelType;
      }
    }
  }
};

}  // namespace lapscope::decode

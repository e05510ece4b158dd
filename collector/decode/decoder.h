#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/callbacks/callback_events.h"
#include "collector/decode/decode_context.h"
#include "collector/decode/kinds.h"
#include "collector/decode/target_records.h"
#include "collector/nvtx/early_ranges.h"
#include "collector/nvtx/range_payloads.h"

namespace lapscope::decode {

// Turns CUPTI's activity buffers into the rows of one trace, and keeps count of what came. Used by
// one thread; may throw schema::SqliteError, after which the rest of that buffer is lost.
class Decoder {
 public:
  // `first_use` of CUDA, in session ns: what a delayed capture counts from.
  Decoder(trace::TraceWriter& trace, const cupti::CuptiApi& cupti, std::uint32_t pid,
          std::int64_t session_start_utc_ns, request::Capture capture = {},
          std::int64_t first_use = 0);

  // `valid` is the size of the part that CUPTI filled.
  void decode(std::uint8_t* buffer, std::size_t valid);

  void decode(std::span<const callbacks::Event> events);

  // The payloads of ranges and marks. To be added before the records that end these ranges.
  void add_payloads(std::span<const nvtx::RawPayload> payloads);
  // How many have found no range until now.
  std::int64_t unused_payloads() const { return context_.payloads.unused(); }

  // What describes the machine comes by decode_targets() alone, and is passed over in buffers: it
  // outlives the trace.
  void expect_targets_apart() { has_targets_apart_ = true; }
  void decode_targets(std::span<const TargetRecords::Record> records);

  // Looks for the NVTX range that the capture covers. Buffers that came together must all be
  // searched before any of them is decoded: buffers are by thread, not by time. `valid` as above.
  void find_range(std::uint8_t* buffer, std::size_t valid);

  // Adds the NVTX ranges that were open when the recording began. To be called first of all.
  void open_early(std::span<const nvtx::EarlyRanges::Range> ranges);

  // Sets when what is decoded next took place, in session ns. It is for records without a time of
  // their own, which must still be placed inside or outside the captured interval.
  void set_flush_interval(std::int64_t start, std::int64_t end) {
    context_.stretch.set_flush_interval(start, end);
  }

  // The captured interval begins at a session time in ns.
  void begin_stretch(std::int64_t time) { context_.stretch.begin(time); }
  // Ends the captured interval at a session time in ns, unless it has ended before.
  void end_stretch(std::int64_t time, const std::string& why) { context_.stretch.end(time, why); }

  // The result of enabling a kind, or a sort of callbacks, for LAPSCOPE_RECORDS. Where callbacks
  // stand in for a kind, they and not its records are written from then on.
  void set_enable_result(CUpti_ActivityKind kind, CUptiResult result);
  void set_enable_result(callbacks::Source source, CUptiResult result);

  // Sets where the stacks of calls come from (null: there are none), and its counts when the trace
  // began.
  void set_stacks(stacks::CallStacks* stacks, const stacks::CallStacks::Counts& before = {}) {
    context_.chains.set_source(stacks, before);
  }

  // Adds to LAPSCOPE_LOSSES. The first detail of a code is kept.
  void add_loss(const std::string& code, std::int64_t count, const std::string& detail);

  // Brings LAPSCOPE_RECORDS, LAPSCOPE_LOSSES and LAPSCOPE_STACKS up to date, and writes NVTX ranges
  // that are open. To be called before every commit.
  void write_counts();

  // Books what is incomplete. Followed by a last write_counts().
  void finish();

 private:
  void decode_one(const CUpti_Activity& record, const Kind& kind, schema::RecordsRow& row,
                  std::size_t size);
  bool keeps(const Kind& kind, const void* record, std::size_t size) const;
  void decode_one(const callbacks::Event& event);
  void close_early(const callbacks::EarlyRangeEnd& end);
  void place_waits();
  void name_linked_gpus();

  struct Tally {
    const Kind* kind;
    schema::RecordsRow row;
    std::size_t record_size = 0;
    bool is_told_by_callbacks = false;
  };

  Tally& tally_of(CUpti_ActivityKind kind);
  Tally& tally_of(callbacks::Source source);

  trace::TraceWriter& trace_;
  const cupti::CuptiApi& cupti_;
  DecodeContext context_;
  bool has_targets_apart_ = false;
  std::int64_t range_id_ = 0;     // the NVTX range that the capture covers
  std::int64_t early_ends_ = 0;   // of ranges that were open when the recording began
  std::map<int, Tally> tallies_;  // by RecordsRow::kind
  std::map<std::string, schema::LossRow> losses_;
};

}  // namespace lapscope::decode

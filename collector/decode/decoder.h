#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "collector/callbacks/callback_events.h"
#include "collector/decode/decode_context.h"
#include "collector/decode/kinds.h"
#include "collector/decode/target_records.h"
#include "collector/nvtx/early_ranges.h"
#include "collector/nvtx/range_payloads.h"

namespace lapscope::decode {

// Decodes CUPTI's activity buffers into the rows of one trace, and counts the records. Only one
// thread may use this class. If decoding throws schema::SqliteError, the later records of the
// buffer are lost.
class Decoder {
 public:
  // `first_use` is the time of the first use of CUDA, in session ns. The delay of a capture starts
  // at this time.
  Decoder(trace::TraceWriter& trace, const cupti::CuptiApi& cupti, std::uint32_t pid,
          std::int64_t session_start_utc_ns, request::Capture capture = {},
          std::int64_t first_use = 0);

  // Decodes the first `valid` bytes of a buffer: the part that CUPTI has filled.
  void decode(std::uint8_t* buffer, std::size_t valid);

  void decode(std::span<const callbacks::Event> events);

  // Adds payloads of NVTX ranges and marks. Must be called before the records that end these ranges
  // are decoded.
  void add_payloads(std::span<const nvtx::RawPayload> payloads);
  // Returns the number of payloads that have not been assigned to a range or mark so far.
  std::int64_t unused_payloads() const { return context_.payloads.unused(); }

  // Makes decode() skip the records of devices, links, contexts and streams. decode_targets()
  // decodes them instead. CUPTI delivers these records only once, but a process that writes several
  // traces needs them in each trace.
  void expect_targets_apart() { has_targets_apart_ = true; }
  void decode_targets(std::span<const TargetRecords::Record> records);

  // Searches the buffers of a flush for the NVTX range that the capture covers. Must be called
  // before any of these buffers is decoded. Each span is the part of a buffer that CUPTI has
  // filled. The buffers are not in the order of time, because each has the records of only some
  // threads.
  void find_range(std::span<const std::span<std::uint8_t>> buffers);

  // Adds the NVTX ranges that were open when the recording began. Call it before all other
  // functions that decode.
  void open_early(std::span<const nvtx::EarlyRanges::Range> ranges);

  // States that the next records were made between `start` and `end`, in session ns. If such a
  // record has no timestamp, these two times decide whether it is kept.
  void set_flush_interval(std::int64_t start, std::int64_t end) {
    context_.stretch.set_flush_interval(start, end);
  }

  // Begins the captured interval at a session time in ns.
  void begin_stretch(std::int64_t time) { context_.stretch.begin(time); }
  // Ends the captured interval at a session time in ns. If it already ends earlier, nothing
  // changes.
  void end_stretch(std::int64_t time, const std::string& why) { context_.stretch.end(time, why); }

  // Store in LAPSCOPE_RECORDS whether CUPTI could enable a kind of records, or a source of
  // callbacks. If `source` replaces a kind of records, decode() skips these records from then on.
  void set_enable_result(CUpti_ActivityKind kind, CUptiResult result);
  void set_enable_result(callbacks::Source source, CUptiResult result);

  // Sets the source of the call stacks. `before` are the counts of this source at the begin of the
  // trace. If `stacks` is null, the trace has no call stacks.
  void set_stacks(stacks::CallStacks* stacks, const stacks::CallStacks::Counts& before = {}) {
    context_.chains.set_source(stacks, before);
  }

  // Adds `count` to the losses with this code in LAPSCOPE_LOSSES. Only the detail of the first call
  // with this code is stored.
  void add_loss(const std::string& code, std::int64_t count, const std::string& detail);

  // Updates LAPSCOPE_RECORDS, LAPSCOPE_LOSSES and LAPSCOPE_STACKS, and writes the NVTX ranges that
  // are open. Call it before every commit.
  void write_counts();

  // Adds the losses that are known only at the end of the recording. write_counts() must be called
  // after finish().
  void finish();

 private:
  void decode_one(const CUpti_Activity& record, const Kind& kind, schema::RecordsRow& row,
                  std::size_t size);
  bool keeps(const Kind& kind, const void* record, std::size_t size) const;
  template <class Visit>
  void for_each_marker(std::span<const std::span<std::uint8_t>> buffers, const Visit& visit) const;
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
  std::int64_t early_ends_ = 0;   // ends of ranges that were open when the recording began
  std::map<int, Tally> tallies_;  // by RecordsRow::kind
  std::map<std::string, schema::LossRow> losses_;
};

}  // namespace lapscope::decode

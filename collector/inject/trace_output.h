#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collector/callbacks/callback_queue.h"
#include "collector/cupti/cupti_api.h"
#include "collector/decode/decoder.h"
#include "collector/inject/buffer_pool.h"
#include "collector/inject/inject_options.h"
#include "collector/inject/tracing.h"
#include "collector/nvtx/early_ranges.h"
#include "collector/trace/trace_file.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::inject {

// Records and events that were lost since the previous take_losses().
struct Losses {
  std::int64_t records = 0;   // counted by CUPTI
  std::int64_t events = 0;    // of callbacks
  std::int64_t payloads = 0;  // of NVTX ranges
};

// Writes the trace of this process, from the first record to the end of the program. Its states:
//
//   unopened --first record--> open --close()--> closed
//       |                        |
//       +------- a failure ------+--> failed
//
// When writing fails, the failure is reported at once, and all further records are counted as lost.
// The file keeps its committed rows. A file without committed rows is removed. A process that only
// initialises CUDA leaves no trace, unless something went wrong. Only the writer's thread uses this
// object. Once the recording has begun, no function throws.
class TraceOutput {
 public:
  // `early` has the NVTX ranges that are open. `foreign_buffers` counts completed buffers that are
  // not from `pool`.
  TraceOutput(Options options, const BufferPool& pool, std::atomic<std::int64_t>& foreign_buffers,
              std::vector<nvtx::EarlyRanges::Range> early);

  // Sets where records and events come from. Call it before the writer's thread uses this object.
  // Both pointers may be null: see Writer::arm.
  void arm(const cupti::CuptiApi* cupti, TracingStart tracing, callbacks::EventQueue* events);

  // Begins a capture of an armed process. `targets` has the records of the devices, links, contexts
  // and streams of the process. The caller may add further records to `targets`, which must live
  // longer than this object. `unrecorded` has the iterations before the capture. If the process
  // does not use a GPU, no trace is written.
  void begin_capture(decode::TargetRecords& targets,
                     std::vector<schema::UnrecordedIterationRow> unrecorded) noexcept;
  // begin_stretch() sets the begin of the captured interval, in session ns. Activities that are
  // decoded before this call are dropped. end_stretch() ends the interval at the present time.
  void begin_stretch(std::int64_t time) noexcept;
  void end_stretch(const std::string& why) noexcept;
  const std::filesystem::path& path() const { return path_; }
  const std::string& failure() const { return failure_; }

  // Looks for the begin and end of the captured NVTX range; see decode::Decoder::find_range.
  void find_range(std::span<const Completed> buffers);
  void decode(const Completed& buffer);
  // Before a flush, take_events() takes the events of callbacks from their queue, which has room
  // for only one flush period. After the flush, decode_taken_events() decodes these events. By
  // then, the trace has the records of the calls and streams that the events refer to.
  void take_events() noexcept;
  void decode_taken_events();
  // Adds events to those that decode_taken_events() decodes.
  void add_events(std::vector<callbacks::Event> events);
  // Takes the payloads of NVTX ranges from their queue. The queue has room for only a few seconds.
  void take_payloads() noexcept;
  // take_losses() returns the numbers of losses and sets them to 0. add_losses() adds `losses` to
  // the numbers in the trace. commit() calls both functions.
  Losses take_losses() noexcept;
  void add_losses(const Losses& losses);

  // States that the next records were made between `begin` and `end`, in session ns. Without this
  // call, decoding assumes that the records were made since the last flush.
  void set_interval(std::int64_t begin, std::int64_t end) {
    flushed_ = begin;
    interval_end_ = end;
  }
  // Ends the interval that set_interval() set, and states that the next records were made after
  // this interval. Must be called when the records of the interval have been dropped or committed.
  void end_interval() {
    flushed_ = interval_end_.value_or(flushed_);
    interval_end_.reset();
    uncommitted_ = 0;
  }
  void decode_events() {
    take_events();
    decode_taken_events();
  }

  // Returns the time since the begin of the session, in ns.
  std::int64_t session_now() const;
  // Ends a flush that began at session time `begin`. Must be called when the trace has everything
  // that ended before `begin`. If the trace has grown too large, ends the capture at `begin`.
  void end_of_flush(std::int64_t begin);
  bool is_full() const { return is_full_; }
  static constexpr const char* size_of_trace =
      "size of the trace";  // the reason why a capture ends

  // Commits all rows, with a reading of the clocks under this label. Does nothing for the label
  // "period" if no record or event was added since the previous commit.
  void commit(std::string_view clock_label) noexcept;
  std::chrono::steady_clock::duration since_commit() const { return Clock::now() - last_commit_; }

  // Writes a trace that contains only the reason why there is no recording.
  void write_problem() noexcept;
  void close() noexcept;

  // Ends the writing of the trace because of a failure. Later calls do not change the reason.
  void fail(const std::string& why) noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  template <class Work>
  void attempt(const Work& work);  // calls fail() if `work` throws
  void open() noexcept;
  void make();
  void write_facts();
  void decode_new_targets();
  void bound_capture();
  std::int64_t discard(const Completed& buffer);
  void book_losses();
  void write_sampling(const host_samples::HostSampler::Counts& counts);
  bool is_gone();
  void close_file();
  void finish_content();
  void limit_size();
  bool can_write() const { return failure_.empty(); }
  void state_failure() noexcept;
  void leave_note() const noexcept;

  const Options options_;
  const BufferPool& pool_;
  const std::vector<nvtx::EarlyRanges::Range> early_ranges_;
  const std::int64_t first_use_;      // the first use of CUDA, in UTC ns
  const std::int64_t session_start_;  // in UTC ns; before first_use_ if NVTX ranges were open
  const std::string created_;
  const cupti::CuptiApi* cupti_ = nullptr;
  TracingStart tracing_;
  callbacks::EventQueue* events_ = nullptr;
  std::vector<callbacks::Event> taken_events_;
  std::atomic<std::int64_t>& foreign_buffers_;
  decode::TargetRecords* targets_ = nullptr;  // only in an armed process
  bool is_full_ = false;
  std::size_t targets_decoded_ = 0;
  std::vector<schema::UnrecordedIterationRow> unrecorded_;
  std::optional<std::int64_t> capture_begin_;  // in session ns
  std::optional<std::int64_t> capture_end_;    // in session ns
  std::string why_capture_ends_;

  std::filesystem::path path_;  // path of the trace; empty until it is claimed
  std::optional<trace::TraceWriter> trace_;
  std::optional<trace::Place> place_;  // empty until the first commit of the trace
  std::optional<decode::Decoder> decoder_;
  Clock::time_point last_commit_;
  std::optional<std::int64_t> interval_end_;  // the end that set_interval() has set
  std::int64_t flushed_ = 0;                  // the begin of the last flush, in session ns
  std::string failure_;                       // why writing ended early; empty if it did not
  std::int64_t lost_payloads_ = 0;            // of NVTX ranges
  std::int64_t uncommitted_ = 0;              // records decoded since the last commit
  std::int64_t lost_ = 0;                     // records that could not be written
  std::int64_t stated_lost_ = -1;             // lost_ as stated in the trace; -1: not stated yet
  std::optional<std::int64_t> stated_row_;    // rowid of that statement
};

}  // namespace lapscope::inject

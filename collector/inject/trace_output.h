#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// A buffer as CUPTI has completed it.
struct Completed {
  std::uint8_t* data;
  std::size_t valid;  // size of the part that CUPTI filled
};

// The trace of this process, from the first record to the end of the program, whatever becomes of
// the disk that it is on:
//
//   unopened --first record--> open --close()--> closed
//       |                        |
//       +------- a failure ------+--> failed
//
//   failed: it has said so at once, counts what it cannot take, and leaves what was committed; or
//           nothing, when nothing ever was
//
// A process that merely initialises CUDA leaves none behind unless something went wrong. Used by
// the writer's thread; nothing is thrown once the recording has begun.
class TraceOutput {
 public:
  // `early` are the NVTX ranges that are open; `foreign_buffers` counts completed buffers that are
  // not ours.
  TraceOutput(Options options, const BufferPool& pool, std::atomic<std::int64_t>& foreign_buffers,
              std::vector<nvtx::EarlyRanges::Range> early);

  // Before the writer's thread uses it. Either pointer may be null; see Writer::arm.
  void arm(const cupti::CuptiApi* cupti, TracingStart tracing, callbacks::EventQueue* events);

  // For one capture among several: begins it now, with what the process has made on the GPU until
  // now and will make later, and ends it. The records outlive it and are added to. A process that
  // does not use a GPU leaves no trace.
  void begin_capture(decode::TargetRecords& targets) noexcept;
  void end_capture(const std::string& why) noexcept;
  const std::filesystem::path& path() const { return path_; }
  const std::string& failure() const { return failure_; }

  // Looks for the begin and end of the captured NVTX range; see decode::Decoder::find_range.
  void find_range(const Completed& buffer);
  void decode(const Completed& buffer);
  // What callbacks reported waits in a queue of its own: a flush period's worth at most. It is
  // taken before a flush and decoded after it, so that it finds the records of its calls and
  // streams in the trace.
  void take_events() noexcept;
  void decode_taken_events();
  void decode_events() {
    take_events();
    decode_taken_events();
  }

  // ns since the begin of the session.
  std::int64_t session_now() const;
  // All that had ended by session time `begin`, that of the flush, is in the trace. Ends the
  // capture there when the trace has grown too large.
  void end_of_flush(std::int64_t begin);

  // Does nothing for the label "period" when there is nothing new.
  void commit(std::string_view clock_label) noexcept;
  std::chrono::steady_clock::duration since_commit() const { return Clock::now() - last_commit_; }

  // Writes a trace that says why there is no recording.
  void write_problem() noexcept;
  void close() noexcept;

  // Ends the writing; the first reason is kept.
  void fail(const std::string& why) noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  template <class Work>
  void attempt(const Work& work);  // what fails is booked as a failure of the trace
  void open() noexcept;
  void make();
  void write_facts();
  void decode_new_targets();
  void take_payloads();
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
  const std::int64_t first_use_;      // of CUDA, utc ns
  const std::int64_t session_start_;  // utc ns; before that where NVTX ranges are open
  const std::string created_;
  const cupti::CuptiApi* cupti_ = nullptr;
  TracingStart tracing_;
  callbacks::EventQueue* events_ = nullptr;
  std::vector<callbacks::Event> taken_events_;
  std::atomic<std::int64_t>& foreign_buffers_;
  decode::TargetRecords* targets_ = nullptr;  // of a capture among several
  std::size_t targets_decoded_ = 0;
  std::optional<std::int64_t> capture_begin_;  // in session ns
  std::optional<std::int64_t> capture_end_;    // likewise
  std::string why_capture_ends_;

  std::filesystem::path path_;  // of the trace, once it is claimed
  std::optional<trace::TraceWriter> trace_;
  std::optional<trace::Place> place_;  // once the trace has had its first commit
  std::optional<decode::Decoder> decoder_;
  Clock::time_point last_commit_;
  std::int64_t flushed_ = 0;                // the begin of the last flush, in session ns
  std::string failure_;                     // why writing ended early
  std::int64_t lost_payloads_ = 0;          // of NVTX ranges
  std::int64_t uncommitted_ = 0;            // records decoded since the last commit
  std::int64_t lost_ = 0;                   // records that could not be written
  std::int64_t stated_lost_ = -1;           // how many of them the trace states; -1: nothing yet
  std::optional<std::int64_t> stated_row_;  // where
};

}  // namespace lapscope::inject

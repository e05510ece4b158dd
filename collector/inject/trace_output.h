#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/callbacks/event_queue.h"
#include "collector/cupti/cupti_api.h"
#include "collector/decode/decoder.h"
#include "collector/inject/buffer_pool.h"
#include "collector/inject/options.h"
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

// The trace of this process, from the first record on: a process that merely initialises CUDA
// leaves none behind unless something went wrong. Whatever cannot be written is counted and said;
// nothing is thrown once the recording has begun. Used by the writer's thread.
class TraceOutput {
 public:
  // In one of the program's own threads. `early` are the NVTX ranges that are open.
  TraceOutput(Options options, const BufferPool& pool, std::vector<nvtx::EarlyRanges::Range> early);

  // Before the writer's thread uses it. Either pointer may be null; see Writer::arm.
  void arm(const cupti::CuptiApi* cupti, TracingStart tracing, callbacks::EventQueue* events);

  // Looks for the begin and end of the captured NVTX range; see decode::Decoder::find_range.
  void find_range(const Completed& buffer);
  void decode(const Completed& buffer);
  // What callbacks told waits in a queue of its own: a flush period's worth at most.
  void decode_events();

  // ns since the begin of the session.
  std::int64_t session_now() const;
  // Ends the capture at session time `now`, the begin of the last flush, when the trace has grown
  // too large: all that had ended by then is in it.
  void limit_size(std::int64_t now);

  // Does nothing for the label "period" when there is nothing new.
  void commit(std::string_view clock_label);
  std::chrono::steady_clock::duration since_commit() const { return Clock::now() - last_commit_; }

  // Writes a trace that says why there is no recording.
  void write_problem();
  void close();

  // Ends the writing; the first reason is kept.
  void fail(const std::string& why) noexcept;
  // A trace that cannot be written cannot say so either: this tells `lapscope record`, in a file of
  // its choosing on what may be another disk.
  void leave_note(const std::string& why) const noexcept;

  // A completed buffer that is not ours: another CUPTI client in the process has taken over. From
  // any thread.
  void count_foreign() noexcept { foreign_buffers_.fetch_add(1, std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  void open();
  void write_facts();
  void book_losses();
  bool is_gone();
  void close_file();
  void finish_content();
  std::int64_t count_records(const Completed& buffer) const;

  const Options options_;
  const BufferPool& pool_;
  const std::vector<nvtx::EarlyRanges::Range> early_ranges_;
  const std::int64_t first_use_;      // of CUDA, utc ns
  const std::int64_t session_start_;  // utc ns; before that where NVTX ranges are open
  // Read in the program's own thread: getenv in ours would race with its setenv.
  const std::vector<schema::EnvironmentRow> environment_;
  const cupti::CuptiApi* cupti_ = nullptr;
  TracingStart tracing_;
  callbacks::EventQueue* events_ = nullptr;
  std::atomic<std::int64_t> foreign_buffers_{0};

  std::filesystem::path path_;  // of the trace, once it is claimed
  std::optional<trace::TraceWriter> trace_;
  std::optional<trace::Place> place_;  // once the trace has had its first commit
  std::optional<decode::Decoder> decoder_;
  Clock::time_point last_commit_;
  bool opened_ = false;            // the trace has had its first commit
  std::string failure_;            // why writing ended early
  std::int64_t uncommitted_ = 0;   // records decoded since the last commit
  std::int64_t lost_records_ = 0;  // records that could not be written
};

}  // namespace lapscope::inject

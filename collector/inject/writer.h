#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/decode/decoder.h"
#include "collector/inject/buffer_pool.h"
#include "collector/inject/options.h"
#include "collector/inject/tracing.h"
#include "collector/trace/trace_file.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::inject {

// How long after the begin of one flush to begin the next, so that no record waits longer than a
// period from being made to being committed; at least a quarter of the period, whatever flushes
// take.
std::chrono::nanoseconds wait_between_flushes(std::chrono::nanoseconds period,
                                              std::chrono::nanoseconds last_took);

// The one thread that decodes buffers and writes the trace. Buffers come in through push(), from
// whatever thread CUPTI completes them in; everything slow happens here. The file is made when the
// first record arrives, so that a process that merely initialises CUDA leaves none behind unless
// something went wrong.
class Writer {
 public:
  Writer(Options options, BufferPool& pool);

  // Starts the thread, which waits for arm(). Throws std::system_error when there can be no thread;
  // CUPTI must not have been asked for anything before this has succeeded.
  void start();

  // Lets the thread go to work, CUPTI now delivering records. `cupti` may be null, if
  // `tracing.problem` says why: the thread then only writes that down.
  // `events` may be null too: then no callbacks are listened to.
  void arm(const cupti::CuptiApi* cupti, TracingStart tracing,
           callbacks::EventQueue* events = nullptr) noexcept;

  // Takes over a completed buffer. Never blocks on I/O.
  void push(std::uint8_t* buffer, std::size_t valid) noexcept;
  // Counts a completed buffer that is not ours: another CUPTI client in the process has taken over.
  void push_foreign() noexcept { foreign_buffers_.fetch_add(1, std::memory_order_relaxed); }

  // Flushes CUPTI, writes all that is left and closes the trace; gives up waiting at the deadline,
  // leaving a trace that says it was cut off.
  void stop(std::chrono::milliseconds deadline) noexcept;

 private:
  struct Completed {
    std::uint8_t* data;
    std::size_t valid;
  };
  using Clock = std::chrono::steady_clock;

  void run();
  void record();
  void write_problem();
  void flush_cupti(bool last);
  void take(std::vector<Completed> buffers);
  void consume(std::vector<Completed> buffers);
  void limit_size(std::int64_t now);
  std::int64_t session_now() const;
  void consume_events();
  void open_trace();
  void write_facts();
  bool is_gone();
  void close_file();
  void commit(std::string_view clock_label);
  void close_trace();
  void fail(const std::string& why) noexcept;
  void leave_note(const std::string& why) const noexcept;
  void book_losses();
  std::int64_t count_records(const Completed& buffer) const;

  const Options options_;
  BufferPool& pool_;
  const std::int64_t session_start_;  // utc ns
  // Read in the program's own thread: getenv in ours would race with its setenv.
  const std::vector<schema::EnvironmentRow> environment_;
  const cupti::CuptiApi* cupti_ = nullptr;
  TracingStart tracing_;
  callbacks::EventQueue* events_ = nullptr;

  std::mutex mutex_;  // guards the five below; never held over a CUPTI call
  std::condition_variable changed_;
  std::vector<Completed> completed_;
  bool armed_ = false;
  bool stopping_ = false;
  bool done_ = false;
  std::thread thread_;

  std::atomic<std::int64_t> foreign_buffers_{0};

  // Only touched by the thread.
  std::filesystem::path path_;  // of the trace, once it is claimed
  std::optional<trace::TraceWriter> trace_;
  std::optional<trace::Place> place_;  // once the trace has had its first commit
  std::optional<decode::Decoder> decoder_;
  Clock::time_point next_flush_;
  Clock::time_point last_commit_;
  std::vector<Completed> held_;    // until the next flush; see take()
  bool opened_ = false;            // the trace has had its first commit
  std::string failure_;            // why writing ended early
  std::int64_t uncommitted_ = 0;   // records decoded since the last commit
  std::int64_t lost_records_ = 0;  // records that could not be written
};

}  // namespace lapscope::inject

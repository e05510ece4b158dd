#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/decode/decoder.h"
#include "collector/inject/buffer_pool.h"
#include "collector/inject/options.h"
#include "collector/inject/trace_output.h"
#include "collector/inject/tracing.h"

namespace lapscope::inject {

// How long after the begin of one flush to begin the next, so that no record waits longer than a
// period from being made to being committed; at least a quarter of the period, whatever flushes
// take.
std::chrono::nanoseconds wait_between_flushes(std::chrono::nanoseconds period,
                                              std::chrono::nanoseconds last_took);

// The one thread that decodes buffers and writes the trace. Buffers come in through push(), from
// whatever thread CUPTI completes them in; everything slow happens here.
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
  void flush_cupti(bool last);
  void take(std::vector<Completed> buffers);
  void consume(std::vector<Completed> buffers);
  void consume(const Completed& buffer);
  void find_range(const std::vector<Completed>& buffers);
  void consume_events();
  void limit_size(std::int64_t now);
  void commit(std::string_view clock_label);
  void book_losses(decode::Decoder& decoder);

  const Options options_;
  BufferPool& pool_;
  TraceOutput output_;  // used by the thread
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
  Clock::time_point next_flush_;
  std::vector<Completed> held_;  // until the next flush; see take()
};

}  // namespace lapscope::inject

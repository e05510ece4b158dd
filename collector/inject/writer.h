#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "collector/inject/trace_output.h"

namespace lapscope::inject {

// How long after the begin of one flush to begin the next, so that no record waits longer than a
// period from being made to being committed; at least a quarter of the period, whatever flushes
// take.
std::chrono::nanoseconds wait_between_flushes(std::chrono::nanoseconds period,
                                              std::chrono::nanoseconds last_took);

// The one thread that has buffers decoded and the trace written. Buffers come in through push(),
// from whatever thread CUPTI completes them in; everything slow happens here.
class Writer {
 public:
  Writer(Options options, BufferPool& pool, std::vector<nvtx::EarlyRanges::Range> early = {});

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
  void push_foreign() noexcept { output_.count_foreign(); }

  // Flushes CUPTI, writes all that is left and closes the trace; gives up waiting at the deadline,
  // leaving a trace that says it was cut off.
  void stop(std::chrono::milliseconds deadline) noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void record();
  void step_stack_calls();
  void flush_cupti(bool last);
  void take(std::vector<Completed> buffers);
  void consume(std::vector<Completed> buffers);

  const std::chrono::milliseconds flush_period_;
  const bool waits_for_range_;   // the capture begins with an NVTX range
  const bool waits_for_events_;  // a part of the run is captured
  BufferPool& pool_;
  const cupti::CuptiApi* cupti_ = nullptr;
  bool is_recording_ = false;
  callbacks::StackCalls* stack_calls_ = nullptr;
  TraceOutput output_;

  std::mutex mutex_;  // guards the four below; never held over a CUPTI call
  std::condition_variable changed_;
  std::vector<Completed> completed_;
  bool armed_ = false;
  bool stopping_ = false;
  bool done_ = false;
  std::thread thread_;

  // Only touched by the thread.
  Clock::time_point next_flush_;
  Clock::time_point next_step_ = Clock::time_point::max();  // of callbacks for stacks
  std::vector<Completed> held_;                             // until the next flush; see take()
};

}  // namespace lapscope::inject

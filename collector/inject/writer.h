#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "collector/control/control_lines.h"
#include "collector/inject/trace_output.h"

namespace lapscope::inject {

// How long after the begin of one flush to begin the next, so that no record waits longer than a
// period from being made to being committed; at least a quarter of the period, whatever flushes
// take.
std::chrono::nanoseconds wait_between_flushes(std::chrono::nanoseconds period,
                                              std::chrono::nanoseconds last_took);

// The one thread that has buffers decoded and the trace written. Buffers come in through push(),
// from any thread in which CUPTI completes them; everything slow happens here.
//
// An armed process has a trace for each capture, and in between nothing to write:
//
//   armed --begin_capture()--> capturing --end_capture()--> armed
class Writer {
 public:
  // In one of the program's own threads. `early` are the NVTX ranges that are open.
  Writer(Options options, BufferPool& pool, std::vector<nvtx::EarlyRanges::Range> early = {});

  // Starts the thread, which waits for arm(). Throws std::system_error when there can be no thread;
  // CUPTI must not have been asked for anything before this has succeeded.
  void start();

  // Lets the thread go to work, CUPTI now delivering records. `cupti` may be null, if
  // `tracing.problem` says why: the thread then only writes that down.
  // `events` may be null too: then no callbacks are listened to.
  void arm(const cupti::CuptiApi* cupti, TracingStart tracing,
           callbacks::EventQueue* events = nullptr) noexcept;

  // The same for an armed process. Both functions are called in the writer's thread, by turns:
  // CUPTI then delivers records, or none but of devices, links, contexts and streams.
  struct Switches {
    std::function<TracingStart()> on;
    std::function<void()> off;
  };
  void arm_for_captures(const cupti::CuptiApi& cupti, Switches switches,
                        callbacks::EventQueue& events) noexcept;

  // For an armed process, called by a thread that is none of the program's: begins a capture, or
  // ends the one that runs, and waits until that is done. A request for the present state changes
  // nothing.
  control::State begin_capture();
  control::State end_capture(const std::string& why);
  control::State capture_state();

  // Takes over a completed buffer. Never blocks on I/O.
  void push(std::uint8_t* buffer, std::size_t valid) noexcept;
  // Counts a completed buffer that is not ours: another CUPTI client in the process has taken over.
  void push_foreign() noexcept { foreign_buffers_.fetch_add(1, std::memory_order_relaxed); }

  // Flushes CUPTI, writes all that is left and closes the trace; gives up waiting at the deadline,
  // leaving a trace that says it was cut off.
  void stop(std::chrono::milliseconds deadline) noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void record();
  void record_on_command();
  bool await_begin();
  void keep_targets(std::span<const Completed> buffers);
  std::vector<Completed> take_completed();
  void begin(int number);
  void say(control::State state);
  void step_stack_calls();
  bool is_capture_ending() const { return switches_.on && !is_capture_wanted_; }
  void end_the_capture();
  void flush_cupti(bool last);
  void take(std::vector<Completed> buffers);
  void consume(std::vector<Completed> buffers);

  const Options options_;
  const std::chrono::milliseconds flush_period_;
  const bool waits_for_range_;   // the capture begins with an NVTX range
  const bool waits_for_events_;  // a part of the run is captured
  BufferPool& pool_;
  const cupti::CuptiApi* cupti_ = nullptr;
  bool is_recording_ = false;
  callbacks::StackCalls* stack_calls_ = nullptr;
  callbacks::EventQueue* events_ = nullptr;
  std::atomic<std::int64_t> foreign_buffers_{0};
  std::optional<TraceOutput> output_;  // none between captures
  Switches switches_;                  // of an armed process
  decode::TargetRecords targets_;      // likewise

  std::mutex mutex_;                         // guards the seven below; never held over a CUPTI call
  std::condition_variable changed_;          // for the thread, and for stop()
  std::condition_variable capture_changed_;  // for begin_capture() and end_capture()
  std::vector<Completed> completed_;
  bool armed_ = false;
  bool stopping_ = false;
  bool done_ = false;
  bool is_capture_wanted_ = false;
  std::string end_reason_;
  control::State capture_;
  std::thread thread_;

  // Only touched by the thread.
  Clock::time_point next_flush_;
  Clock::time_point next_step_ = Clock::time_point::max();  // of callbacks for stacks
  std::vector<Completed> held_;                             // until the next flush; see take()
};

}  // namespace lapscope::inject

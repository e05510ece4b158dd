#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "collector/control/control_commands.h"
#include "collector/inject/kept_records.h"
#include "collector/inject/trace_output.h"

namespace lapscope::inject {

// Returns the time from the begin of a flush to the begin of the next flush, at least a quarter of
// `period`. `last_took` is the duration of the first of these flushes. If no flush takes longer
// than half of `period`, each record is committed within `period` after it was made.
std::chrono::nanoseconds wait_between_flushes(std::chrono::nanoseconds period,
                                              std::chrono::nanoseconds last_took);

// Owns the thread that decodes buffers and writes the trace. CUPTI completes buffers in other
// threads, which pass them to push(). Everything slow happens in the writer's thread.
//
// An armed process writes a trace for each capture, and nothing between captures:
//
//   armed --begin_capture()--> capturing --end_capture()--> armed
class Writer {
 public:
  // Must be called in a thread of the program. `early` has the NVTX ranges that are open.
  Writer(Options options, BufferPool& pool, std::vector<nvtx::EarlyRanges::Range> early = {});

  // Starts the thread, which waits for arm(). Throws std::system_error if the thread cannot be
  // made. No function of CUPTI may be called before start() has succeeded.
  void start();

  // Lets the thread begin its work. CUPTI delivers records from now on. If `tracing.problem` is
  // set, `cupti` may be null, and the thread only writes a trace with the problem. If `events` is
  // null, there are no events of callbacks.
  void arm(const cupti::CuptiApi* cupti, TracingStart tracing,
           callbacks::EventQueue* events = nullptr) noexcept;

  // Functions that begin and end the delivery of records in an armed process. The writer's thread
  // calls `on` and `off` alternately. After `on`, CUPTI delivers the records that the request
  // wants. After `off`, it delivers only the records of devices, links, contexts and streams.
  struct Switches {
    std::function<TracingStart(const request::Request&)> on;
    std::function<void()> off;
  };
  void arm_for_captures(const cupti::CuptiApi& cupti, Switches switches,
                        callbacks::EventQueue& events) noexcept;

  struct Wanted {
    std::vector<schema::UnrecordedIterationRow> unrecorded;  // the iterations before the capture
    bool is_light = false;                                   // see request::Group::light
    // If set, the trace has only the last part of the capture. `keep` is the length of this part.
    // The records are in memory until the capture ends.
    std::optional<std::chrono::milliseconds> keep;
  };
  // Begin and end a capture of an armed process. Both wait until the capture has begun or ended,
  // and return the new state. begin_capture() changes nothing during a capture, and end_capture()
  // changes nothing outside a capture. Call them in a thread of the collector, not of the program.
  control::State begin_capture(Wanted wanted);
  control::State end_capture(const std::string& why);
  control::State capture_state();

  // Takes over a completed buffer. Never blocks on I/O.
  void push(std::uint8_t* buffer, std::size_t valid) noexcept;
  // Counts a completed buffer that is not from the pool. Such buffers come when another CUPTI
  // client in the process has taken over the activity records.
  void push_foreign() noexcept { foreign_buffers_.fetch_add(1, std::memory_order_relaxed); }

  // Makes the thread flush CUPTI, write all remaining records and close the trace. Waits for this
  // at most `deadline`. If the thread needs longer, the trace is marked as cut off.
  void stop(std::chrono::milliseconds deadline) noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void record();
  void record_on_command();
  bool await_begin();
  void keep_targets(std::span<const Completed> buffers);
  std::vector<Completed> take_completed();
  Wanted take_wanted();
  void discard_losses();
  void begin(int number, const request::Request& request);
  void say(control::State state);
  void step_stack_calls();
  void end_if_full();
  bool is_capture_ending() const { return switches_.on && !is_capture_wanted_; }
  void flush_capture();
  void end_the_capture();
  void end_period();
  void keep_period();
  void begin_kept_stretch();
  void write_kept();
  void decode_batch(KeptRecords::Batch batch);
  void flush_cupti(bool last);
  void take(std::vector<Completed> buffers);
  void consume(std::vector<Completed> buffers);
  void decode(const std::vector<Completed>& buffers, bool commits);

  const Options options_;
  const std::chrono::milliseconds flush_period_;
  const bool waits_for_range_;   // true if the capture begins with an NVTX range
  const bool waits_for_events_;  // true if only a part of the run is captured
  BufferPool& pool_;
  const cupti::CuptiApi* cupti_ = nullptr;
  bool is_recording_ = false;
  callbacks::StackCalls* stack_calls_ = nullptr;
  callbacks::EventQueue* events_ = nullptr;
  std::atomic<std::int64_t> foreign_buffers_{0};
  std::optional<TraceOutput> output_;  // empty between captures
  Switches switches_;                  // only in an armed process
  decode::TargetRecords targets_;      // only in an armed process

  // Guards the members from completed_ to capture_. No thread holds it during a call of CUPTI.
  std::mutex mutex_;
  std::condition_variable changed_;          // the writer's thread and stop() wait for it
  std::condition_variable capture_changed_;  // begin_capture() and end_capture() wait for it
  std::vector<Completed> completed_;
  bool armed_ = false;
  bool stopping_ = false;
  bool done_ = false;
  bool is_capture_wanted_ = false;
  std::string end_reason_;
  Wanted wanted_;
  control::State capture_;
  std::thread thread_;

  // Only the writer's thread uses the members below.
  Clock::time_point next_flush_;
  Clock::time_point next_step_ = Clock::time_point::max();  // the next step_stack_calls()
  std::vector<Completed> held_;      // buffers that are decoded later: see take()
  std::optional<KeptRecords> kept_;  // for the present capture; empty if it keeps all records
};

}  // namespace lapscope::inject

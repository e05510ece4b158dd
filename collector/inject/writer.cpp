#include "collector/inject/writer.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "collector/process/signals_blocked.h"

namespace lapscope::inject {
namespace {

using process::SignalsBlocked;

constexpr std::uint32_t flush_forced = 1;  // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED

}  // namespace

Writer::Writer(Options options, BufferPool& pool, std::vector<nvtx::EarlyRanges::Range> early)
    : options_(std::move(options)),
      flush_period_(options_.flush_period),
      waits_for_range_(options_.request.capture.trigger == request::Capture::Trigger::nvtx),
      waits_for_events_(!options_.request.capture.is_everything()),
      pool_(pool) {
  if (!options_.request.capture.is_armed())
    output_.emplace(options_, pool_, foreign_buffers_, std::move(early));
  completed_.reserve(BufferPool::most);
}

void Writer::start() {
  const SignalsBlocked blocked(SignalsBlocked::Which::of_the_program);
  thread_ = std::thread([this] {
    ::pthread_setname_np(::pthread_self(), "lapscope");
    try {
      run();
    } catch (const std::exception& error) {
      if (output_) output_->fail(error.what());
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
    capture_changed_.notify_all();
  });
}

void Writer::arm(const cupti::CuptiApi* cupti, TracingStart tracing,
                 callbacks::EventQueue* events) noexcept {
  cupti_ = cupti;
  is_recording_ = tracing.problem.empty();
  stack_calls_ = tracing.stack_calls;
  if (!output_)
    begin(1, options_.request);  // an armed process that cannot be recorded: writes the reason
  output_->arm(cupti, std::move(tracing), events);
  const std::lock_guard lock(mutex_);
  armed_ = true;
  changed_.notify_all();
}

void Writer::arm_for_captures(const cupti::CuptiApi& cupti, Switches switches,
                              callbacks::EventQueue& events) noexcept {
  cupti_ = &cupti;
  is_recording_ = true;
  switches_ = std::move(switches);
  events_ = &events;
  const std::lock_guard lock(mutex_);
  armed_ = true;
  changed_.notify_all();
}

void Writer::run() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return armed_ || stopping_; });
    if (!armed_) return;
  }
  if (!is_recording_) {
    output_->write_problem();
  } else if (switches_.on) {
    record_on_command();
  } else {
    record();
  }
}

// If a record is made just after a flush has begun, only the next flush delivers it. That flush
// must end within `period` after the begin of the first one. The result leaves it at least period /
// 2 for this, and more if the first flush took long.
std::chrono::nanoseconds wait_between_flushes(std::chrono::nanoseconds period,
                                              std::chrono::nanoseconds last_took) {
  return std::max(period / 4, period / 2 - last_took);
}

// Runs in a thread of the program. Blocks signals: a signal handler may call exit(), which would
// wait for the lock that this thread holds.
void Writer::push(std::uint8_t* buffer, std::size_t valid) noexcept {
  const SignalsBlocked blocked(SignalsBlocked::Which::of_the_program);
  try {
    const std::lock_guard lock(mutex_);
    completed_.push_back({buffer, valid});
  } catch (...) {
    return;  // there is no memory for 16 bytes: the records are lost, but the program continues
  }
  changed_.notify_one();
}

void Writer::stop(std::chrono::milliseconds deadline) noexcept {
  try {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) return;
    stopping_ = true;
    changed_.notify_all();
    capture_changed_.notify_all();
    const bool ended = changed_.wait_for(lock, deadline, [this] { return done_; });
    lock.unlock();
    ended ? thread_.join() : thread_.detach();
  } catch (...) {
    return;
  }
}

// Calls StackCalls::step() if StackCalls::between_steps has passed since the last call of step().
// StackCalls needs step() more often than CUPTI is flushed.
void Writer::step_stack_calls() {
  if (!stack_calls_ || !stack_calls_->has_budgets()) {
    next_step_ = Clock::time_point::max();  // an earlier capture may have had budgets
    return;
  }
  const auto now = Clock::now();
  if (now < next_step_ && next_step_ != Clock::time_point::max()) return;
  stack_calls_->step(now);
  next_step_ = now + callbacks::StackCalls::between_steps;
}

void Writer::record() {
  next_flush_ = Clock::now() + flush_period_;
  bool stopping = false;
  bool ending = false;  // whether the capture ends, but not the program
  while (!stopping && !ending) {
    std::vector<Completed> buffers;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_until(lock, std::min(next_flush_, next_step_), [this] {
        return stopping_ || is_capture_ending() || !completed_.empty();
      });
      stopping = stopping_;
      ending = is_capture_ending();
      buffers.swap(completed_);
      completed_.reserve(BufferPool::most);
    }
    if (!stopping && !ending) step_stack_calls();  // at the end, CUPTI is only flushed
    take(std::move(buffers));
    if (stopping) {
      begin_kept_stretch();
      write_kept();
      flush_cupti(true);
      output_->decode_events();
    } else if (ending) {
      end_the_capture();
    } else if (Clock::now() >= next_flush_) {
      kept_ ? keep_period() : end_period();
    }
  }
  output_->close();
}

void Writer::end_period() {
  const auto begin = Clock::now();
  const std::int64_t now = output_->session_now();
  output_->take_events();
  flush_cupti(false);
  output_->decode_taken_events();
  output_->commit("period");
  output_->end_of_flush(now);
  end_if_full();
  next_flush_ = begin + wait_between_flushes(flush_period_, Clock::now() - begin);
}

// Makes CUPTI deliver the records that it still has, and decodes them. A forced flush delivers
// incomplete records, too, and CUPTI never completes them later. So only the last flush of a trace
// may be forced.
//
// Does nothing if CUPTI has not asked for a buffer yet: the program may be in cuInit, and a flush
// during cuInit may never return.
void Writer::flush_cupti(bool last) {
  if (!pool_.ever_used()) return;
  cupti_->activity_flush_all(0);
  if (last) cupti_->activity_flush_all(flush_forced);
  const std::vector<Completed> buffers = take_completed();
  held_.insert(held_.end(), buffers.begin(), buffers.end());
  consume(std::exchange(held_, {}));
}

// Decodes the buffers, or keeps them in held_ in two cases. If the capture begins with an NVTX
// range, they are decoded after the next flush, because only a flush delivers the earlier records
// of all threads. If the trace gets only the last part of the capture, keep_period() takes them.
void Writer::take(std::vector<Completed> buffers) {
  if (waits_for_range_ || kept_) {
    held_.insert(held_.end(), buffers.begin(), buffers.end());
  } else {
    consume(std::move(buffers));
  }
}

void Writer::consume(std::vector<Completed> buffers) {
  if (waits_for_range_) {
    output_->find_range(buffers);
  }
  // Events are decoded first, because the callback of cudaProfilerStart must be decoded before the
  // records of the work that follows this call.
  if (waits_for_events_) output_->decode_events();
  decode(buffers, true);
}

void Writer::decode(const std::vector<Completed>& buffers, bool commits) {
  for (const Completed& buffer : buffers) {
    if (switches_.on) targets_.take(buffer.data, buffer.valid, *cupti_);
    output_->decode(buffer);
    pool_.release(buffer.data);
    // Commits here, too, because this loop takes long if the writer has fallen behind.
    if (commits && output_->since_commit() >= flush_period_ / 2) output_->commit("period");
  }
}

}  // namespace lapscope::inject

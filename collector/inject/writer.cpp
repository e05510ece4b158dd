#include "collector/inject/writer.h"

#include <pthread.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "collector/decode/discard.h"
#include "collector/inject/signals_blocked.h"

namespace lapscope::inject {
namespace {

constexpr std::uint32_t flush_forced = 1;  // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED

}  // namespace

Writer::Writer(Options options, BufferPool& pool)
    : options_(std::move(options)), pool_(pool), output_(options_) {
  completed_.reserve(BufferPool::most);
}

void Writer::start() {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] {
    ::pthread_setname_np(::pthread_self(), "lapscope");
    try {
      run();
    } catch (const std::exception& error) {
      output_.fail(error.what());
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  });
}

void Writer::arm(const cupti::CuptiApi* cupti, TracingStart tracing,
                 callbacks::EventQueue* events) noexcept {
  cupti_ = cupti;
  events_ = events;
  tracing_ = std::move(tracing);
  output_.describe(cupti_, &tracing_);
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
  if (tracing_.problem.empty()) {
    record();
  } else {
    output_.open();
  }
  output_.close(pool_.out(), [this](decode::Decoder& decoder) { book_losses(decoder); });
}

// What was recorded just after a flush must be committed one period later, when the next flush has
// not only begun but ended. It may take twice as long as the last one.
std::chrono::nanoseconds wait_between_flushes(std::chrono::nanoseconds period,
                                              std::chrono::nanoseconds last_took) {
  return std::max(period / 4, period - 2 * last_took);
}

// In a thread of the program, which may handle a signal by exit(): that waits for the lock.
void Writer::push(std::uint8_t* buffer, std::size_t valid) noexcept {
  const SignalsBlocked blocked;
  try {
    const std::lock_guard lock(mutex_);
    completed_.push_back({buffer, valid});
  } catch (...) {
    return;  // no memory for 16 bytes: the buffer leaks, the program lives
  }
  changed_.notify_one();
}

void Writer::stop(std::chrono::milliseconds deadline) noexcept {
  try {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) return;
    stopping_ = true;
    changed_.notify_all();
    const bool ended = changed_.wait_for(lock, deadline, [this] { return done_; });
    lock.unlock();
    ended ? thread_.join() : thread_.detach();
  } catch (...) {
    return;
  }
}

void Writer::record() {
  next_flush_ = Clock::now() + options_.flush_period;
  bool stopping = false;
  while (!stopping) {
    std::vector<Completed> buffers;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_until(lock, next_flush_, [this] { return stopping_ || !completed_.empty(); });
      stopping = stopping_;
      buffers.swap(completed_);
      completed_.reserve(BufferPool::most);
    }
    take(std::move(buffers));
    if (stopping) {
      flush_cupti(true);
      consume_events();
    } else if (Clock::now() >= next_flush_) {
      const auto begin = Clock::now();
      const std::int64_t now = output_.session_now();
      flush_cupti(false);
      consume_events();
      commit("period");
      limit_size(now);
      next_flush_ = begin + wait_between_flushes(options_.flush_period, Clock::now() - begin);
    }
  }
}

// Delivers what CUPTI still holds. A forced flush also hands out records that are not complete yet
// and never completes them, so it is the last thing asked for.
//
// Before CUPTI has asked for a buffer it may still be in the middle of cuInit, and a flush can
// hang.
void Writer::flush_cupti(bool last) {
  if (!pool_.ever_used()) return;
  cupti_->activity_flush_all(0);
  if (last) cupti_->activity_flush_all(flush_forced);
  std::vector<Completed> buffers;
  {
    const std::lock_guard lock(mutex_);
    buffers.swap(completed_);
  }
  held_.insert(held_.end(), buffers.begin(), buffers.end());
  consume(std::exchange(held_, {}));
}

// Where a capture begins with an NVTX range, nothing may be judged before all that came earlier is
// here, from every thread: that is so after a flush.
void Writer::take(std::vector<Completed> buffers) {
  if (options_.request.capture.trigger == request::Capture::Trigger::nvtx) {
    held_.insert(held_.end(), buffers.begin(), buffers.end());
  } else {
    consume(std::move(buffers));
  }
}

// All that had ended by `now`, the begin of the last flush, is in the trace.
void Writer::limit_size(std::int64_t now) {
  const auto most = options_.request.capture.max_bytes;
  if (!most) return;
  if (output_.size().value_or(0) < *most) return;
  output_.write(0,
                [now](decode::Decoder& decoder) { decoder.end_stretch(now, "size of the trace"); });
}

void Writer::consume(std::vector<Completed> buffers) {
  if (options_.request.capture.trigger == request::Capture::Trigger::nvtx) find_range(buffers);
  // A callback tells of cudaProfilerStart before any record of what follows is complete.
  if (!options_.request.capture.is_everything()) consume_events();
  for (const Completed& buffer : buffers) {
    consume(buffer);
    pool_.release(buffer.data);
    // A writer that has fallen behind must not keep what it has done until it has caught up.
    if (Clock::now() - output_.last_commit() >= options_.flush_period / 2) commit("period");
  }
}

void Writer::consume(const Completed& buffer) {
  if (!output_.can_write()) {
    output_.write(decode::discard(buffer.data, buffer.valid, *cupti_), [](decode::Decoder&) {});
    return;
  }
  const std::int64_t records = decode::count_records(buffer.data, buffer.valid, *cupti_);
  if (records == 0) return;
  output_.write(records,
                [&buffer](decode::Decoder& decoder) { decoder.decode(buffer.data, buffer.valid); });
}

void Writer::find_range(const std::vector<Completed>& buffers) {
  for (const Completed& buffer : buffers) {
    output_.write(
        0, [&buffer](decode::Decoder& decoder) { decoder.find_range(buffer.data, buffer.valid); });
  }
}

// What callbacks told waits in a queue of its own: a flush period's worth at most.
void Writer::consume_events() {
  if (!events_) return;
  const std::vector<callbacks::Event> told = events_->take();
  if (told.empty()) return;
  output_.write(static_cast<std::int64_t>(told.size()),
                [&told](decode::Decoder& decoder) { decoder.decode(told); });
}

void Writer::commit(std::string_view clock_label) {
  output_.commit(clock_label, [this](decode::Decoder& decoder) { book_losses(decoder); });
}

void Writer::book_losses(decode::Decoder& decoder) {
  std::size_t dropped = 0;
  if (cupti_->activity_get_num_dropped_records(nullptr, 0, &dropped) == CUPTI_SUCCESS &&
      dropped > 0) {
    decoder.add_loss("dropped-records", static_cast<std::int64_t>(dropped), "counted by CUPTI");
  }
  if (const std::int64_t lost = events_ ? events_->take_lost() : 0; lost > 0) {
    decoder.add_loss("dropped-callbacks", lost, "more calls than could be written in time");
  }
  if (const std::int64_t foreign = foreign_buffers_.exchange(0); foreign > 0) {
    decoder.add_loss("foreign-buffers", foreign,
                     "another CUPTI client in the program, a framework's profiler say, took over");
  }
}

}  // namespace lapscope::inject

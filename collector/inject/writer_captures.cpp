#include <utility>

#include "collector/decode/kinds.h"
#include "collector/inject/writer.h"
#include "collector/nvtx/watch_calls.h"
#include "collector/trace/output_name.h"

// The functions of Writer that only an armed process uses: they begin and end captures.
namespace lapscope::inject {

control::State Writer::begin_capture(std::vector<schema::UnrecordedIterationRow> unrecorded) {
  std::unique_lock lock(mutex_);
  const int before = capture_.captures;
  if (capture_.is_capturing) return capture_;
  unrecorded_ = std::move(unrecorded);
  is_capture_wanted_ = true;
  changed_.notify_all();
  capture_changed_.wait(lock, [&] { return done_ || stopping_ || capture_.captures > before; });
  return capture_;
}

control::State Writer::end_capture(const std::string& why) {
  std::unique_lock lock(mutex_);
  is_capture_wanted_ = false;
  end_reason_ = why;
  changed_.notify_all();
  capture_changed_.wait(lock, [this] { return done_ || stopping_ || !capture_.is_capturing; });
  return capture_;
}

control::State Writer::capture_state() {
  const std::lock_guard lock(mutex_);
  return capture_;
}

// Waits until a capture is to begin, and returns true. Returns false at the end of the program.
// Meanwhile keeps the records of devices, links, contexts and streams.
bool Writer::await_begin() {
  for (;;) {
    std::vector<Completed> buffers;
    bool stopping = false;
    bool is_wanted = false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock,
                    [this] { return stopping_ || is_capture_wanted_ || !completed_.empty(); });
      stopping = stopping_;
      is_wanted = is_capture_wanted_;
      buffers.swap(completed_);
      completed_.reserve(BufferPool::most);
    }
    keep_targets(buffers);
    if (stopping || is_wanted) return !stopping;
  }
}

void Writer::keep_targets(std::span<const Completed> buffers) {
  for (const Completed& buffer : buffers) {
    targets_.take(buffer.data, buffer.valid, *cupti_);
    decode::discard(buffer.data, buffer.valid, *cupti_, decode::Discarded::but_targets);
    pool_.release(buffer.data);
  }
}

std::vector<Completed> Writer::take_completed() {
  std::vector<Completed> buffers;
  const std::lock_guard lock(mutex_);
  buffers.swap(completed_);
  return buffers;
}

std::vector<schema::UnrecordedIterationRow> Writer::take_unrecorded() {
  const std::lock_guard lock(mutex_);
  return std::move(unrecorded_);
}

void Writer::begin(int number) {
  Options options = options_;
  options.output = trace::plain(trace::fill_in(options.output, {{}, {}, {}, number}));
  output_.emplace(std::move(options), pool_, foreign_buffers_, nvtx::early_ranges().take_open());
}

void Writer::say(control::State state) {
  const std::lock_guard lock(mutex_);
  capture_ = std::move(state);
  if (!capture_.is_capturing) is_capture_wanted_ = false;
  capture_changed_.notify_all();
}

void Writer::record_on_command() {
  for (int number = 1; await_begin(); ++number) {
    // CUPTI may still hold records of objects that were made before the capture.
    if (pool_.ever_used()) cupti_->activity_flush_all(0);
    keep_targets(take_completed());
    events_->take();
    begin(number);
    TracingStart tracing = switches_.on();
    stack_calls_ = tracing.stack_calls;
    output_->arm(cupti_, std::move(tracing), events_);
    output_->begin_capture(targets_, take_unrecorded());
    say({true, number, output_->path(), output_->failure()});
    record();
    nvtx::early_ranges().end_recording();
    say({false, number, output_->path(), output_->failure()});
    output_.reset();
  }
}

// Ends the capture of an armed process if its trace has the size that Capture::max_bytes allows. In
// a process that is not armed, nothing is switched off: later records are dropped.
void Writer::end_if_full() {
  if (!switches_.on || !output_->is_full()) return;
  const std::lock_guard lock(mutex_);
  is_capture_wanted_ = false;
  end_reason_ = TraceOutput::size_of_trace;
}

// Makes CUPTI deliver the last records of a capture. CUPTI does not deliver a buffer as long as one
// of its ops still runs, although the buffer may have records of everything else. So this function
// flushes until CUPTI holds no buffer. If an op runs for longer than `patience`, the flush is
// forced, and the record of this op is incomplete.
void Writer::flush_capture() {
  constexpr std::chrono::milliseconds pause(5);
  constexpr std::chrono::seconds patience(2);
  const auto until = Clock::now() + patience;
  flush_cupti(false);
  while (pool_.out() > 0 && Clock::now() < until) {
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, pause, [this] { return stopping_; })) break;
    }
    flush_cupti(false);
  }
  if (pool_.out() > 0) flush_cupti(true);
}

void Writer::end_the_capture() {
  std::string why;
  {
    const std::lock_guard lock(mutex_);
    why = end_reason_;
  }
  output_->end_capture(why);
  switches_.off();
  output_->take_events();
  flush_capture();
  output_->decode_taken_events();
}

}  // namespace lapscope::inject

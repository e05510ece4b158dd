#include <utility>

#include "collector/decode/kinds.h"
#include "collector/inject/writer.h"
#include "collector/nvtx/range_payloads.h"
#include "collector/nvtx/watch_calls.h"
#include "collector/trace/output_name.h"

// The functions of Writer that only an armed process uses: they begin and end captures.
namespace lapscope::inject {

control::State Writer::begin_capture(Wanted wanted) {
  std::unique_lock lock(mutex_);
  const int before = capture_.captures;
  if (capture_.is_capturing) return capture_;
  wanted_ = std::move(wanted);
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

// Waits for the next capture to begin, and returns true. Returns false at the end of the program.
// While waiting, stores the records of devices, links, contexts and streams.
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

Writer::Wanted Writer::take_wanted() {
  const std::lock_guard lock(mutex_);
  return std::exchange(wanted_, {});
}

// Sets the counts of losses to 0. If the trace of a capture could not be written, its losses are
// still in these counts, but they do not belong to the next capture.
void Writer::discard_losses() {
  std::size_t dropped = 0;
  cupti_->activity_get_num_dropped_records(nullptr, 0, &dropped);
  events_->take_lost();
  nvtx::range_payloads().take_lost();
}

void Writer::begin(int number, const request::Request& request) {
  Options options = options_;
  options.request = request;
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
    discard_losses();
    Wanted wanted = take_wanted();
    request::Request request = options_.request;
    if (wanted.is_light) request.set(request::Group::light, true);
    begin(number, request);
    TracingStart tracing = switches_.on(request);
    stack_calls_ = tracing.stack_calls;
    output_->arm(cupti_, std::move(tracing), events_);
    if (wanted.keep) {
      kept_.emplace(*wanted.keep, output_->session_now());
    } else {
      output_->begin_stretch(output_->session_now());
    }
    output_->begin_capture(targets_, std::move(wanted.unrecorded));
    say({true, number, output_->path(), output_->failure()});
    record();
    nvtx::early_ranges().end_recording();
    pool_.trim();
    say({false, number, output_->path(), output_->failure()});
    output_.reset();
  }
}

// Ends the capture of an armed process if its trace has reached Capture::max_bytes. A process that
// is not armed continues to record, and its later records are dropped.
void Writer::end_if_full() {
  if (!switches_.on || !output_->is_full()) return;
  const std::lock_guard lock(mutex_);
  is_capture_wanted_ = false;
  end_reason_ = TraceOutput::size_of_trace;
}

// Keeps the records and events since the last call as a new batch. Decodes the old batches
// (KeptRecords). The captured interval has not begun yet, so decode_batch() drops their records,
// and stores only graphs and open NVTX ranges. Does not flush CUPTI: CUPTI delivers its buffers
// when they are full.
void Writer::keep_period() {
  output_->take_payloads();
  std::vector<callbacks::Event> events = events_->take();
  const std::int64_t now = output_->session_now();
  kept_->add({now, std::exchange(held_, {}), std::move(events), output_->take_losses()});
  for (KeptRecords::Batch& batch : kept_->take_old()) decode_batch(std::move(batch));
  output_->end_interval();
  next_flush_ = Clock::now() + flush_period_;
}

void Writer::decode_batch(KeptRecords::Batch batch) {
  output_->set_interval(batch.begin, batch.end);
  output_->add_events(std::move(batch.events));
  output_->decode_taken_events();
  decode(batch.buffers, false);
}

// Begins the captured interval with the kept records.
void Writer::begin_kept_stretch() {
  if (!kept_) return;
  keep_period();
  output_->begin_stretch(kept_->begin());
}

// Decodes the stored records of the last part of the capture. Records that come later are decoded
// at once.
void Writer::write_kept() {
  if (!kept_) return;
  KeptRecords kept = *std::exchange(kept_, std::nullopt);
  for (KeptRecords::Batch& batch : kept.take_all()) {
    output_->add_losses(batch.losses);
    decode_batch(std::move(batch));
    output_->commit("period");
  }
  output_->end_interval();
}

// Makes CUPTI deliver the last records of a capture. While an op runs, CUPTI keeps the whole buffer
// that will have the record of this op. So this function flushes until CUPTI has no buffer. After
// `patience`, the flush is forced. The record of an op that still runs is then incomplete.
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
  begin_kept_stretch();
  output_->end_stretch(why);
  switches_.off();
  write_kept();
  output_->take_events();
  flush_capture();
  output_->decode_taken_events();
}

}  // namespace lapscope::inject

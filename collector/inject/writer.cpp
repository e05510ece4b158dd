#include "collector/inject/writer.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "collector/inject/pcie_links.h"
#include "collector/inject/process_facts.h"
#include "collector/schema/capture_facts.h"
#include "collector/trace/output_name.h"

namespace lapscope::inject {
namespace {

namespace fact = schema::fact;

constexpr std::uint32_t flush_forced = 1;  // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED

// Signals are the program's business: none may be handled in a thread that it does not know of.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &original_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &original_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t original_;
};

}  // namespace

Writer::Writer(Options options, BufferPool& pool)
    : options_(std::move(options)),
      pool_(pool),
      session_start_(read_clocks("").realtime),
      environment_(stored_environment()) {
  completed_.reserve(BufferPool::most);
}

void Writer::start() {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] {
    ::pthread_setname_np(::pthread_self(), "lapscope");
    try {
      run();
    } catch (const std::exception& error) {
      fail(error.what());
      leave_note(error.what());
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
  tracing_.problem.empty() ? record() : write_problem();
}

// What was recorded just after a flush must be committed one period later, when the next flush has
// not only begun but ended. It may take twice as long as the last one.
std::chrono::nanoseconds wait_between_flushes(std::chrono::nanoseconds period,
                                              std::chrono::nanoseconds last_took) {
  return std::max(period / 4, period - 2 * last_took);
}

void Writer::push(std::uint8_t* buffer, std::size_t valid) noexcept {
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
      const std::int64_t now = session_now();
      flush_cupti(false);
      consume_events();
      commit("period");
      limit_size(now);
      next_flush_ = begin + wait_between_flushes(options_.flush_period, Clock::now() - begin);
    }
  }
  close_trace();
}

void Writer::write_problem() {
  open_trace();
  close_trace();
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

std::int64_t Writer::session_now() const { return read_clocks("").realtime - session_start_; }

// All that had ended by `now`, the begin of the last flush, is in the trace.
void Writer::limit_size(std::int64_t now) {
  const auto most = options_.request.capture.max_bytes;
  if (!most || !trace_ || !failure_.empty()) return;
  try {
    const auto pages = trace_->database().query_int64("PRAGMA page_count").value_or(0);
    const auto page = trace_->database().query_int64("PRAGMA page_size").value_or(0);
    if (pages * page >= *most) decoder_->end_stretch(now, "size of the trace");
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void Writer::consume(std::vector<Completed> buffers) {
  if (options_.request.capture.trigger == request::Capture::Trigger::nvtx) {
    try {
      if (!buffers.empty() && !trace_ && failure_.empty()) open_trace();
      for (const Completed& buffer : buffers) {
        if (decoder_) decoder_->find_range(buffer.data, buffer.valid);
      }
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }
  // A callback tells of cudaProfilerStart before any record of what follows is complete.
  if (!options_.request.capture.is_everything()) consume_events();
  for (const Completed& buffer : buffers) {
    const std::int64_t records = count_records(buffer);
    if (records > 0 && failure_.empty()) {
      try {
        uncommitted_ += records;
        if (!trace_) open_trace();
        decoder_->decode(buffer.data, buffer.valid);
      } catch (const std::exception& error) {
        fail(error.what());
      }
    } else {
      lost_records_ += records;
    }
    pool_.release(buffer.data);
    // A writer that has fallen behind must not keep what it has done until it has caught up.
    if (Clock::now() - last_commit_ >= options_.flush_period / 2) commit("period");
  }
}

// What callbacks told waits in a queue of its own: a flush period's worth at most.
void Writer::consume_events() {
  if (!events_) return;
  const std::vector<callbacks::Event> told = events_->take();
  if (told.empty()) return;
  const auto count = static_cast<std::int64_t>(told.size());
  if (!failure_.empty()) {
    lost_records_ += count;
    return;
  }
  try {
    uncommitted_ += count;
    if (!trace_) open_trace();
    decoder_->decode(told);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

std::int64_t Writer::count_records(const Completed& buffer) const {
  std::int64_t count = 0;
  CUpti_Activity* record = nullptr;
  while (cupti_->activity_get_next_record(buffer.data, buffer.valid, &record) == CUPTI_SUCCESS) {
    ++count;
  }
  return count;
}

void Writer::open_trace() {
  const auto pid = static_cast<std::uint32_t>(::getpid());
  path_ = trace::claim_output(options_.output, pid);
  trace_.emplace(path_);
  write_facts();
  if (cupti_) {
    decoder_.emplace(*trace_, *cupti_, pid, session_start_, options_.request.capture);
    for (const auto& [kind, result] : tracing_.kinds) decoder_->set_enable_result(kind, result);
    for (const auto& [source, result] : tracing_.callbacks) {
      decoder_->set_enable_result(source, result);
    }
    decoder_->write_counts();
  }
  trace_->commit();
  opened_ = true;
  place_.emplace(path_);
}

void Writer::write_facts() {
  trace::TraceWriter& trace = *trace_;
  trace.set_fact(fact::recording, std::string(schema::recording_state::running));
  trace.set_fact(fact::session, options_.session);
  trace.set_fact(fact::tool_version, LAPSCOPE_VERSION);
  trace.set_fact(fact::created, iso_utc(session_start_));
  trace.set_fact(fact::command, command_line());
  trace.set_fact(fact::executable, executable());
  trace.set_fact(fact::pid, std::to_string(::getpid()));
  trace.set_fact(fact::host, lapscope::trace::host_name());
  if (!options_.rank.empty()) trace.set_fact(fact::rank, options_.rank);
  trace.set_fact(fact::driver_version, driver_version());
  trace.set_fact(fact::flush_period_ms, std::to_string(options_.flush_period.count()));
  if (cupti_) {
    trace.set_fact(fact::cupti_version, std::to_string(cupti_->version));
    trace.set_fact(fact::cupti_library, cupti_->path);
  }
  if (!tracing_.problem.empty()) trace.set_fact(fact::problem, tracing_.problem);
  if (options_.request.yields_to_app) trace.set_fact(fact::yields_to_app, "yes");
  for (const schema::EnvironmentRow& row : environment_) trace.insert(row);

  const auto pid = static_cast<std::uint32_t>(::getpid());
  trace.insert(schema::ProcessRow{schema::global_pid(pid), pid, executable()});
  const schema::ClockRow now = read_clocks("start");
  trace.insert(now);
  schema::SessionStartRow start;
  start.utcEpochNs = session_start_;
  start.utcTime = iso_utc(session_start_);
  start.systemClockNs = now.monotonic - (now.realtime - session_start_);
  trace.insert(start);
}

void Writer::book_losses() {
  if (!decoder_) return;
  std::size_t dropped = 0;
  if (cupti_->activity_get_num_dropped_records(nullptr, 0, &dropped) == CUPTI_SUCCESS &&
      dropped > 0) {
    decoder_->add_loss("dropped-records", static_cast<std::int64_t>(dropped), "counted by CUPTI");
  }
  if (const std::int64_t lost = events_ ? events_->take_lost() : 0; lost > 0) {
    decoder_->add_loss("dropped-callbacks", lost, "more calls than could be written in time");
  }
  if (const std::int64_t foreign = foreign_buffers_.exchange(0); foreign > 0) {
    decoder_->add_loss(
        "foreign-buffers", foreign,
        "another CUPTI client in the program, a framework's profiler say, took over");
  }
  decoder_->write_counts();
}

// SQLite would go on writing into a file that nobody will ever find. Said at once, as the program
// may be killed before its end.
bool Writer::is_gone() {
  if (!place_ || !place_->was_taken()) return false;
  fail("it was removed or renamed while the program ran, and all its records are lost");
  leave_note(failure_);
  close_file();
  place_->remove_leftovers();
  return true;
}

void Writer::close_file() {
  decoder_.reset();  // writes into it
  trace_.reset();
}

void Writer::commit(std::string_view clock_label) {
  last_commit_ = Clock::now();
  if (!trace_ || !failure_.empty()) return;
  if (uncommitted_ == 0 && clock_label == "period") return;
  if (is_gone()) return;
  try {
    book_losses();
    trace_->insert(read_clocks(clock_label));
    trace_->commit();
    uncommitted_ = 0;
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void Writer::close_trace() {
  if (failure_.empty() && trace_) {
    try {
      if (decoder_) decoder_->finish();
      // Now, when the link has just been used: one that saves power is slower while nobody uses it.
      for (const schema::LinkRow& link : pcie_links()) trace_->insert(link);
      trace_->set_fact(fact::buffers_kept, std::to_string(pool_.out()));
      trace_->set_fact(fact::recording, std::string(schema::recording_state::complete));
    } catch (const std::exception& error) {
      fail(error.what());
    }
    commit("end");
  }
  if (!failure_.empty()) {
    if (!opened_) leave_note(failure_);
    if (!trace_) return;
    // What was committed stays; the rest could not be written, and may still not be.
    trace_->rollback();
    if (!opened_) {  // not even the first facts could be written: leave nothing that looks like a
                     // trace
      close_file();
      trace::remove_files(path_);
      return;
    }
    trace_->insert(schema::LossRow{"write-error", lost_records_, failure_});
    trace_->set_fact(fact::recording, std::string(schema::recording_state::failed));
  }
  if (!trace_) return;
  trace_->finish();
  close_file();
}

// A trace that cannot be written cannot say so either: this tells `lapscope record`, in a file of
// its choosing on what may be another disk.
void Writer::leave_note(const std::string& why) const noexcept {
  if (options_.note.empty()) return;
  try {
    const std::string what = (path_.empty() ? options_.output : path_).string();
    std::ofstream(options_.note, std::ios::app)
        << "'" << what << "' could not be written: " << why << "\n";
  } catch (...) {
    return;
  }
}

void Writer::fail(const std::string& why) noexcept {
  try {
    if (failure_.empty()) failure_ = why.empty() ? "unknown error" : why;
  } catch (...) {
    failure_ = "?";
  }
  lost_records_ += uncommitted_;
  uncommitted_ = 0;
}

}  // namespace lapscope::inject

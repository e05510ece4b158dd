#include "collector/inject/trace_output.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "collector/decode/kinds.h"
#include "collector/inject/pcie_links.h"
#include "collector/inject/process_facts.h"
#include "collector/nvtx/range_payloads.h"
#include "collector/process/clock.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/sqlite.h"
#include "collector/trace/failure_note.h"
#include "collector/trace/output_name.h"

namespace lapscope::inject {
namespace {

namespace fact = schema::fact;

std::string_view recorded_calls(const request::Request& request) {
  using request::Group;
  namespace calls = schema::recorded_calls;
  // An armed process records all calls: see record_calls().
  if (request.capture.is_armed()) return calls::all;
  if (request.wants(Group::light)) return calls::issuing;
  return request.wants(Group::all_calls) ? calls::all : calls::usual;
}

// Returns the begin of the session, in UTC ns: the first use of CUDA, or the begin of an earlier
// NVTX range. No time in the trace is earlier.
std::int64_t begin_of_session(std::int64_t first_use,
                              const std::vector<nvtx::EarlyRanges::Range>& early) {
  std::int64_t begin = first_use;
  for (const auto& range : early) begin = std::min(begin, static_cast<std::int64_t>(range.time));
  return begin;
}

}  // namespace

TraceOutput::TraceOutput(Options options, const BufferPool& pool,
                         std::atomic<std::int64_t>& foreign_buffers,
                         std::vector<nvtx::EarlyRanges::Range> early)
    : options_(std::move(options)),
      pool_(pool),
      early_ranges_(std::move(early)),
      first_use_(read_clocks("").realtime),
      session_start_(begin_of_session(first_use_, early_ranges_)),
      created_(process::iso_utc(session_start_)),
      foreign_buffers_(foreign_buffers) {
  // Reads the environment. This constructor runs in a thread of the program, so the program cannot
  // change its environment at the same time.
  schema::start_sqlite();
}

void TraceOutput::arm(const cupti::CuptiApi* cupti, TracingStart tracing,
                      callbacks::EventQueue* events) {
  cupti_ = cupti;
  events_ = events;
  tracing_ = std::move(tracing);
}

void TraceOutput::begin_capture(decode::TargetRecords& targets,
                                std::vector<schema::UnrecordedIterationRow> unrecorded) noexcept {
  targets_ = &targets;
  unrecorded_ = std::move(unrecorded);
  if (targets.has_context()) open();
}

void TraceOutput::begin_stretch(std::int64_t time) noexcept {
  capture_begin_ = time;
  attempt([&] { bound_capture(); });
}

void TraceOutput::end_stretch(const std::string& why) noexcept {
  capture_end_ = session_now();
  attempt([&] {
    why_capture_ends_ = why;
    bound_capture();
  });
}

void TraceOutput::bound_capture() {
  if (!decoder_ || !can_write()) return;
  if (capture_begin_) decoder_->begin_stretch(*capture_begin_);
  if (capture_end_) decoder_->end_stretch(*capture_end_, why_capture_ends_);
}

std::int64_t TraceOutput::session_now() const { return read_clocks("").realtime - session_start_; }

template <class Work>
void TraceOutput::attempt(const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void TraceOutput::open() noexcept {
  if (trace_ || !can_write()) return;
  attempt([&] { make(); });
}

void TraceOutput::find_range(std::span<const Completed> buffers) {
  if (buffers.empty()) return;
  open();
  if (!can_write()) return;
  attempt([&] {
    std::vector<std::span<std::uint8_t>> valid;
    for (const Completed& buffer : buffers) valid.emplace_back(buffer.data, buffer.valid);
    decoder_->find_range(valid);
  });
}

std::int64_t TraceOutput::discard(const Completed& buffer) {
  return decode::discard(buffer.data, buffer.valid, *cupti_,
                         targets_ ? decode::Discarded::but_targets : decode::Discarded::all);
}

void TraceOutput::decode(const Completed& buffer) {
  if (!can_write()) {
    lost_ += discard(buffer);
    return;
  }
  if (buffer.valid == 0) return;
  // A buffer that is not empty counts as at least one record. count_records() returns 0 if libcupti
  // cannot step over the first record.
  uncommitted_ +=
      std::max<std::int64_t>(1, decode::count_records(buffer.data, buffer.valid, *cupti_));
  open();
  if (!can_write()) {
    discard(buffer);
    return;
  }
  attempt([&] {
    decode_new_targets();
    take_payloads();
    decoder_->set_flush_interval(flushed_, interval_end_.value_or(session_now()));
    decoder_->decode(buffer.data, buffer.valid);
  });
}

void TraceOutput::decode_new_targets() {
  if (!targets_) return;
  const auto all = targets_->all();
  decoder_->decode_targets(all.subspan(targets_decoded_));
  targets_decoded_ = all.size();
}

// CUPTI delivers the record of an NVTX call after the call, so the payload of the call comes first.
void TraceOutput::take_payloads() noexcept {
  if (!decoder_) return;
  attempt([&] { decoder_->add_payloads(nvtx::range_payloads().take()); });
  lost_payloads_ += nvtx::range_payloads().take_lost();
}

void TraceOutput::take_events() noexcept {
  if (!events_) return;
  attempt([&] { add_events(events_->take()); });
}

void TraceOutput::add_events(std::vector<callbacks::Event> events) {
  if (taken_events_.empty()) {
    taken_events_ = std::move(events);
  } else {
    taken_events_.insert(taken_events_.end(), events.begin(), events.end());
  }
}

void TraceOutput::decode_taken_events() {
  const std::vector<callbacks::Event> events = std::exchange(taken_events_, {});
  if (events.empty()) return;
  const auto count = static_cast<std::int64_t>(events.size());
  open();
  if (!can_write()) {
    lost_ += count;
    return;
  }
  uncommitted_ += count;
  attempt([&] {
    decoder_->set_flush_interval(flushed_, interval_end_.value_or(session_now()));
    decoder_->decode(events);
  });
}

void TraceOutput::end_of_flush(std::int64_t begin) {
  flushed_ = begin;
  limit_size();
}

void TraceOutput::limit_size() {
  const auto most = options_.request.capture.max_bytes;
  if (!most || !trace_ || !can_write()) return;
  attempt([&] {
    const auto pages = trace_->database().query_int64("PRAGMA page_count").value_or(0);
    const auto page = trace_->database().query_int64("PRAGMA page_size").value_or(0);
    is_full_ = pages * page >= *most;
    if (is_full_) decoder_->end_stretch(flushed_, size_of_trace);
  });
}

void TraceOutput::make() {
  const auto pid = static_cast<std::uint32_t>(::getpid());
  path_ = trace::claim_output(options_.output, pid);
  trace_.emplace(path_);
  write_facts();
  for (const schema::UnrecordedIterationRow& row : unrecorded_) trace_->insert(row);
  if (cupti_) {
    decoder_.emplace(*trace_, *cupti_, pid, session_start_, options_.request.capture,
                     first_use_ - session_start_);
    for (const auto& [kind, result] : tracing_.kinds) decoder_->set_enable_result(kind, result);
    for (const auto& [source, result] : tracing_.callbacks) {
      decoder_->set_enable_result(source, result);
    }
    decoder_->set_stacks(tracing_.stacks, tracing_.stacks_before);
    if (targets_) decoder_->expect_targets_apart();
    bound_capture();
    decode_new_targets();
    decoder_->open_early(early_ranges_);
    decoder_->write_counts();
  }
  trace_->commit();
  place_.emplace(path_);
}

void TraceOutput::write_facts() {
  trace::TraceWriter& trace = *trace_;
  trace.set_fact(fact::recording, std::string(schema::recording_state::running));
  trace.set_fact(fact::session, options_.session);
  trace.set_fact(fact::tool_version, LAPSCOPE_VERSION);
  trace.set_fact(fact::created, created_);
  trace.set_fact(fact::command, command_line());
  trace.set_fact(fact::record_options, quoted_line(options_.request.arguments()));
  trace.set_fact(fact::calls, std::string(recorded_calls(options_.request)));
  trace.set_fact(fact::executable, executable());
  trace.set_fact(fact::pid, std::to_string(::getpid()));
  trace.set_fact(fact::host, lapscope::trace::host_name());
  if (const int usable = processors(); usable > 0) {
    trace.set_fact(fact::processors, std::to_string(usable));
  }
  if (!options_.rank.empty()) trace.set_fact(fact::rank, options_.rank);
  if (!options_.world_size.empty()) trace.set_fact(fact::world_size, options_.world_size);
  trace.set_fact(fact::driver_version, driver_version());
  trace.set_fact(fact::flush_period_ms, std::to_string(options_.flush_period.count()));
  if (cupti_) {
    trace.set_fact(fact::cupti_version, std::to_string(cupti_->version));
    trace.set_fact(fact::cupti_library, cupti_->path);
  }
  if (!tracing_.problem.empty()) trace.set_fact(fact::problem, tracing_.problem);
  if (!tracing_.no_native_frames.empty()) {
    trace.set_fact(fact::no_native_frames, tracing_.no_native_frames);
  }
  if (!tracing_.no_python_frames.empty()) {
    trace.set_fact(fact::no_python_frames, tracing_.no_python_frames);
  }
  if (options_.request.yields_to_app) trace.set_fact(fact::yields_to_app, "yes");
  for (const schema::EnvironmentRow& row : options_.environment) trace.insert(row);

  const auto pid = static_cast<std::uint32_t>(::getpid());
  trace.insert(schema::ProcessRow{schema::global_pid(pid), pid, executable()});
  const schema::ClockRow now = read_clocks("start");
  trace.insert(now);
  schema::SessionStartRow start;
  start.utcEpochNs = session_start_;
  start.utcTime = created_;
  start.systemClockNs = now.monotonic - (now.realtime - session_start_);
  trace.insert(start);
}

Losses TraceOutput::take_losses() noexcept {
  Losses losses;
  std::size_t dropped = 0;
  if (cupti_ && cupti_->activity_get_num_dropped_records(nullptr, 0, &dropped) == CUPTI_SUCCESS) {
    losses.records = static_cast<std::int64_t>(dropped);
  }
  if (events_) losses.events = events_->take_lost();
  losses.payloads = std::exchange(lost_payloads_, 0);
  return losses;
}

void TraceOutput::add_losses(const Losses& losses) {
  lost_payloads_ += losses.payloads;
  if (!decoder_) return;
  if (losses.records > 0) {
    decoder_->add_loss("dropped-records", losses.records, "counted by CUPTI");
  }
  if (losses.events > 0) {
    decoder_->add_loss("dropped-callbacks", losses.events,
                       "more calls than could be written in time");
  }
}

void TraceOutput::book_losses() {
  if (!decoder_) return;
  add_losses(take_losses());
  if (const std::int64_t foreign = foreign_buffers_.exchange(0); foreign > 0) {
    decoder_->add_loss(
        "foreign-buffers", foreign,
        "another CUPTI client in the program, a framework's profiler say, took over");
  }
  take_payloads();
  decoder_->write_counts();
  if (tracing_.sampler) write_sampling(tracing_.sampler->counts());
}

void TraceOutput::write_sampling(const host_samples::HostSampler::Counts& counts) {
  schema::HostSampleCountsRow row;
  row.intervalNs = counts.interval;
  row.taken = counts.taken;
  row.withoutStack = counts.without_stack;
  row.torn = counts.torn;
  row.late = counts.late;
  row.cpuNs = counts.cpu;
  row.running = counts.running;
  row.withNative = counts.with_native;
  trace_->replace_all<schema::HostSampleCountsRow>(std::span(&row, 1));
}

// Returns whether the file of the trace was removed or renamed. SQLite would continue to write into
// this file, but nobody would find it. Reports this failure at once, because the program may be
// killed later.
bool TraceOutput::is_gone() {
  if (!place_ || !place_->was_taken()) return false;
  close_file();
  place_->remove_leftovers();
  fail("it was removed or renamed while the program ran, and all its records are lost");
  return true;
}

void TraceOutput::close_file() {
  decoder_.reset();  // first, because it writes into the trace
  trace_.reset();
}

void TraceOutput::commit(std::string_view clock_label) noexcept {
  last_commit_ = Clock::now();
  if (!can_write()) {
    if (lost_ != stated_lost_) state_failure();
    return;
  }
  if (!trace_) return;
  if (uncommitted_ == 0 && clock_label == "period") return;
  if (is_gone()) return;
  attempt([&] {
    book_losses();
    trace_->insert(read_clocks(clock_label));
    trace_->commit();
    uncommitted_ = 0;
  });
}

void TraceOutput::write_problem() noexcept {
  open();
  close();
}

void TraceOutput::finish_content() {
  // The links are read now, just after the program has used them, because an idle link saves power
  // and reports a lower speed.
  const std::vector<schema::LinkRow> links = pcie_links();
  for (const schema::LinkRow& link : links) trace_->insert(link);
  trace_->set_fact(fact::pcie_links, std::to_string(links.size()));
  if (decoder_) decoder_->finish();
  if (const std::int64_t lost = lost_payloads_ + (decoder_ ? decoder_->unused_payloads() : 0);
      lost > 0) {
    trace_->set_fact(fact::payloads_lost, std::to_string(lost));
  }
  if (const std::int64_t left = decoder_ && events_ ? events_->left_behind() : 0; left > 0) {
    decoder_->add_loss("dropped-callbacks", left, "a thread was stopped in the middle of a call");
  }
  trace_->set_fact(fact::buffers_kept, std::to_string(pool_.out()));
  trace_->set_fact(fact::recording, std::string(schema::recording_state::complete));
}

void TraceOutput::close() noexcept {
  if (can_write() && trace_) {
    attempt([&] { finish_content(); });
    commit("end");
  }
  if (!can_write() && lost_ != stated_lost_) state_failure();
  if (!trace_) return;
  try {
    trace_->finish();
    close_file();
  } catch (const std::exception&) {
    return;  // all rows are committed: the next open of the trace merges its -wal file
  }
}

void TraceOutput::fail(const std::string& why) noexcept {
  try {
    if (failure_.empty()) failure_ = why.empty() ? "unknown error" : why;
  } catch (...) {
    failure_ = "?";
  }
  lost_ += uncommitted_;
  uncommitted_ = 0;
  state_failure();
}

// Writes the failure to the note file and to the trace. It is called right after the failure, and
// after each further loss, because the program may be killed at any moment. The note file may be on
// another disk, so it can contain the failure even if the trace cannot be written.
void TraceOutput::state_failure() noexcept {
  leave_note();
  stated_lost_ = lost_;
  if (!trace_) return;
  try {
    // Drops the rows that are not committed, because they could not be written.
    trace_->rollback();
    if (!place_) {  // no commit so far: removes the file, so that it is not taken for a trace
      close_file();
      trace::remove_files(path_);
      return;
    }
    trace_->free_log();
    if (stated_row_) trace_->remove<schema::LossRow>(*stated_row_);
    const std::int64_t row = trace_->insert(schema::LossRow{"write-error", lost_, failure_});
    trace_->set_fact(fact::recording, std::string(schema::recording_state::failed));
    trace_->commit();
    stated_row_ = row;
  } catch (const std::exception&) {
    return;  // the failure is in the note file; it comes into the trace later if there is room
  }
}

void TraceOutput::leave_note() const noexcept {
  if (options_.note.empty()) return;
  try {
    trace::append_note(options_.note, {path_.empty() ? options_.output : path_, lost_, failure_});
  } catch (...) {
    return;
  }
}

}  // namespace lapscope::inject

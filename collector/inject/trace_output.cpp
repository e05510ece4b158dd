#include "collector/inject/trace_output.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "collector/inject/pcie_links.h"
#include "collector/inject/process_facts.h"
#include "collector/schema/capture_facts.h"
#include "collector/trace/output_name.h"

namespace lapscope::inject {
namespace {

namespace fact = schema::fact;

// No time of the trace may be before it.
std::int64_t begin_of_session(std::int64_t first_use,
                              const std::vector<nvtx::EarlyRanges::Range>& early) {
  std::int64_t begin = first_use;
  for (const auto& range : early) begin = std::min(begin, static_cast<std::int64_t>(range.time));
  return begin;
}

}  // namespace

TraceOutput::TraceOutput(Options options, const BufferPool& pool,
                         std::vector<nvtx::EarlyRanges::Range> early)
    : options_(std::move(options)),
      pool_(pool),
      early_ranges_(std::move(early)),
      first_use_(read_clocks("").realtime),
      session_start_(begin_of_session(first_use_, early_ranges_)),
      environment_(stored_environment()) {}

void TraceOutput::arm(const cupti::CuptiApi* cupti, TracingStart tracing,
                      callbacks::EventQueue* events) {
  cupti_ = cupti;
  events_ = events;
  tracing_ = std::move(tracing);
}

std::int64_t TraceOutput::session_now() const { return read_clocks("").realtime - session_start_; }

void TraceOutput::find_range(const Completed& buffer) {
  try {
    if (!trace_ && failure_.empty()) open();
    if (decoder_) decoder_->find_range(buffer.data, buffer.valid);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void TraceOutput::decode(const Completed& buffer) {
  const std::int64_t records = count_records(buffer);
  if (records == 0 || !failure_.empty()) {
    lost_records_ += records;
    return;
  }
  try {
    uncommitted_ += records;
    if (!trace_) open();
    decoder_->decode(buffer.data, buffer.valid);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void TraceOutput::decode_events() {
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
    if (!trace_) open();
    decoder_->decode(told);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

std::int64_t TraceOutput::count_records(const Completed& buffer) const {
  std::int64_t count = 0;
  CUpti_Activity* record = nullptr;
  while (cupti_->activity_get_next_record(buffer.data, buffer.valid, &record) == CUPTI_SUCCESS) {
    ++count;
  }
  return count;
}

void TraceOutput::limit_size(std::int64_t now) {
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

void TraceOutput::open() {
  const auto pid = static_cast<std::uint32_t>(::getpid());
  path_ = trace::claim_output(options_.output, pid);
  trace_.emplace(path_);
  write_facts();
  if (cupti_) {
    decoder_.emplace(*trace_, *cupti_, pid, session_start_, options_.request.capture,
                     first_use_ - session_start_);
    for (const auto& [kind, result] : tracing_.kinds) decoder_->set_enable_result(kind, result);
    for (const auto& [source, result] : tracing_.callbacks) {
      decoder_->set_enable_result(source, result);
    }
    decoder_->open_early(early_ranges_);
    decoder_->write_counts();
  }
  trace_->commit();
  opened_ = true;
  place_.emplace(path_);
}

void TraceOutput::write_facts() {
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

void TraceOutput::book_losses() {
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
bool TraceOutput::is_gone() {
  if (!place_ || !place_->was_taken()) return false;
  fail("it was removed or renamed while the program ran, and all its records are lost");
  leave_note(failure_);
  close_file();
  place_->remove_leftovers();
  return true;
}

void TraceOutput::close_file() {
  decoder_.reset();  // writes into it
  trace_.reset();
}

void TraceOutput::commit(std::string_view clock_label) {
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

void TraceOutput::write_problem() {
  open();
  close();
}

void TraceOutput::finish_content() {
  // Now, when the link has just been used: one that saves power is slower while nobody uses it.
  for (const schema::LinkRow& link : pcie_links()) trace_->insert(link);
  if (decoder_) decoder_->finish();
  trace_->set_fact(fact::buffers_kept, std::to_string(pool_.out()));
  trace_->set_fact(fact::recording, std::string(schema::recording_state::complete));
}

void TraceOutput::close() {
  if (failure_.empty() && trace_) {
    try {
      finish_content();
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

void TraceOutput::leave_note(const std::string& why) const noexcept {
  if (options_.note.empty()) return;
  try {
    const std::string what = (path_.empty() ? options_.output : path_).string();
    std::ofstream(options_.note, std::ios::app)
        << "'" << what << "' could not be written: " << why << "\n";
  } catch (...) {
    return;
  }
}

void TraceOutput::fail(const std::string& why) noexcept {
  try {
    if (failure_.empty()) failure_ = why.empty() ? "unknown error" : why;
  } catch (...) {
    failure_ = "?";
  }
  lost_records_ += uncommitted_;
  uncommitted_ = 0;
}

}  // namespace lapscope::inject

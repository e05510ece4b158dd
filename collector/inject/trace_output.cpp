#include "collector/inject/trace_output.h"

#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "collector/inject/pcie_links.h"
#include "collector/inject/process_facts.h"
#include "collector/schema/capture_facts.h"
#include "collector/trace/failure_note.h"
#include "collector/trace/output_name.h"

namespace lapscope::inject {
namespace {

namespace fact = schema::fact;

using Clock = std::chrono::steady_clock;

}  // namespace

TraceOutput::TraceOutput(const Options& options)
    : options_(options),
      session_start_(read_clocks("").realtime),
      created_(iso_utc(session_start_)),
      environment_(stored_environment()) {
  sqlite3_initialize();  // which reads the environment, too
}

void TraceOutput::describe(const cupti::CuptiApi* cupti, const TracingStart* tracing) noexcept {
  cupti_ = cupti;
  tracing_ = tracing;
}

std::int64_t TraceOutput::session_now() const { return read_clocks("").realtime - session_start_; }

void TraceOutput::open() noexcept {
  if (trace_ || !can_write()) return;
  try {
    make();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void TraceOutput::write(std::int64_t records,
                        const std::function<void(decode::Decoder&)>& rows) noexcept {
  open();
  if (!can_write() || !decoder_) {
    lost_ += records;
    return;
  }
  uncommitted_ += records;
  try {
    rows(*decoder_);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void TraceOutput::commit(std::string_view clock_label,
                         const std::function<void(decode::Decoder&)>& book) noexcept {
  last_commit_ = Clock::now();
  if (!can_write()) {
    if (lost_ != stated_lost_) state_failure();
    return;
  }
  if (!trace_) return;
  if (uncommitted_ == 0 && clock_label == "period") return;
  if (is_gone()) return;
  try {
    if (decoder_) {
      book(*decoder_);
      decoder_->write_counts();
    }
    trace_->insert(read_clocks(clock_label));
    trace_->commit();
    uncommitted_ = 0;
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

std::optional<std::int64_t> TraceOutput::size() noexcept {
  if (!trace_ || !can_write()) return std::nullopt;
  try {
    const auto pages = trace_->database().query_int64("PRAGMA page_count").value_or(0);
    const auto page = trace_->database().query_int64("PRAGMA page_size").value_or(0);
    return pages * page;
  } catch (const std::exception& error) {
    fail(error.what());
    return std::nullopt;
  }
}

void TraceOutput::close(std::size_t buffers_kept,
                        const std::function<void(decode::Decoder&)>& book) noexcept {
  if (can_write() && trace_) {
    try {
      if (decoder_) decoder_->finish();
      // Now, when the link has just been used: one that saves power is slower while nobody uses it.
      for (const schema::LinkRow& link : pcie_links()) trace_->insert(link);
      trace_->set_fact(fact::buffers_kept, std::to_string(buffers_kept));
      trace_->set_fact(fact::recording, std::string(schema::recording_state::complete));
    } catch (const std::exception& error) {
      fail(error.what());
    }
    commit("end", book);
  }
  if (!can_write() && lost_ != stated_lost_) state_failure();
  if (!trace_) return;
  try {
    trace_->finish();
    close_file();
  } catch (const std::exception&) {
    return;  // all is committed: whoever opens the trace next folds its -wal file into it
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

void TraceOutput::make() {
  const auto pid = static_cast<std::uint32_t>(::getpid());
  path_ = trace::claim_output(options_.output, pid);
  trace_.emplace(path_);
  write_facts();
  if (cupti_) {
    decoder_.emplace(*trace_, *cupti_, pid, session_start_, options_.request.capture);
    for (const auto& [kind, result] : tracing_->kinds) decoder_->set_enable_result(kind, result);
    for (const auto& [source, result] : tracing_->callbacks) {
      decoder_->set_enable_result(source, result);
    }
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
  if (tracing_ && !tracing_->problem.empty()) trace.set_fact(fact::problem, tracing_->problem);
  if (options_.request.yields_to_app) trace.set_fact(fact::yields_to_app, "yes");
  for (const schema::EnvironmentRow& row : environment_) trace.insert(row);

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

// SQLite would go on writing into a file that nobody will ever find. Said at once, as the program
// may be killed before its end.
bool TraceOutput::is_gone() {
  if (!place_ || !place_->was_taken()) return false;
  close_file();
  place_->remove_leftovers();
  fail("it was removed or renamed while the program ran, and all its records are lost");
  return true;
}

void TraceOutput::close_file() {
  decoder_.reset();  // writes into it
  trace_.reset();
}

// At once and again whenever more was lost, as the program may be killed at any moment. A trace
// that cannot be written may not even take this: the note, on what may be another disk, does.
void TraceOutput::state_failure() noexcept {
  leave_note();
  stated_lost_ = lost_;
  if (!trace_) return;
  try {
    // What was committed stays; what came after it could not be written.
    trace_->rollback();
    if (!place_) {  // not even the first facts: leave nothing that looks like a trace
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
    return;  // the note says it, and so does the trace, if there is room for it later
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

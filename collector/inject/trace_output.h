#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/decode/decoder.h"
#include "collector/inject/options.h"
#include "collector/inject/tracing.h"
#include "collector/trace/trace_file.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::inject {

// The trace of this process, from the first record to the end of the program, whatever becomes of
// the disk that it is on:
//
//   unopened --first record--> open --close()--> closed
//       |                        |
//       +------- a failure ------+--> failed: says so at once, counts what it cannot take, and
//       leaves
//                                     what was committed; or nothing, when nothing ever was
//
// Made in the program's own thread; everything else is the writer thread's. No member throws.
class TraceOutput {
 public:
  explicit TraceOutput(const Options& options);

  // What the trace is to say about the recording. `cupti` may be null, if `tracing.problem` says
  // why.
  void describe(const cupti::CuptiApi* cupti, const TracingStart* tracing) noexcept;

  // Makes the file, unless there is one. A process that merely initialises CUDA leaves none behind.
  void open() noexcept;

  // Lets `rows` write what came from `records` records, opening the trace if need be. What cannot
  // be written is counted as lost.
  void write(std::int64_t records, const std::function<void(decode::Decoder&)>& rows) noexcept;

  // Makes what was written visible and safe from a kill of the program. `book` adds what else was
  // lost to the decoder.
  void commit(std::string_view clock_label,
              const std::function<void(decode::Decoder&)>& book) noexcept;

  // The size of the trace in bytes, nothing when there is none.
  std::optional<std::int64_t> size() noexcept;

  // Writes what is known at the end only, and makes the trace one plain file.
  void close(std::size_t buffers_kept, const std::function<void(decode::Decoder&)>& book) noexcept;

  // Writing ends here, for this reason. The first one counts.
  void fail(const std::string& why) noexcept;

  bool can_write() const { return failure_.empty(); }
  bool is_open() const { return trace_.has_value(); }
  std::int64_t session_now() const;
  // Since the last commit, or since the trace was made.
  std::chrono::steady_clock::time_point last_commit() const { return last_commit_; }

 private:
  void make();
  void write_facts();
  bool is_gone();
  void state_failure() noexcept;
  void leave_note() const noexcept;
  void close_file();

  const Options options_;
  const std::int64_t session_start_;  // utc ns
  // Read in the program's own thread: getenv in ours would race with its setenv, and the C library
  // calls it for a time zone.
  const std::string created_;
  const std::vector<schema::EnvironmentRow> environment_;
  const cupti::CuptiApi* cupti_ = nullptr;
  const TracingStart* tracing_ = nullptr;

  std::filesystem::path path_;  // once it is claimed
  std::optional<trace::TraceWriter> trace_;
  std::optional<trace::Place> place_;  // once the trace has had its first commit
  std::optional<decode::Decoder> decoder_;
  std::chrono::steady_clock::time_point last_commit_;
  std::string failure_;
  std::int64_t uncommitted_ = 0;   // records since the last commit
  std::int64_t lost_ = 0;          // records that could not be written
  std::int64_t stated_lost_ = -1;  // what the trace says of that; -1: nothing
  std::optional<std::int64_t> stated_row_;
};

}  // namespace lapscope::inject

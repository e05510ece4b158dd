#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collector/schema/tables/capture_rows.h"
#include "collector/trace/failure_note.h"

// The file of a trace. These functions decide which process writes to which path. They also add the
// facts that are known only after the program has ended.
namespace lapscope::trace {

// Creates the file `wanted` for this process and returns its path. Another process of the recording
// may already have created a file of this name. In this case, the name of the new file gets the
// process id before its extension. For t.sqlite, the new name is t.4711.sqlite, or t.4711-2.sqlite
// if t.4711.sqlite exists, too. Throws std::system_error if no file can be created.
std::filesystem::path claim_output(const std::filesystem::path& wanted, std::uint32_t pid);

// Identifies a file, independent of its name.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// Returns the identity of the file at `path`; nothing if there is no file. Throws std::system_error
// if this cannot be determined, for example because a network file system does not answer.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

// The place of a trace that is being written. It shows whether the files are still there.
class Place {
 public:
  // Construct the object after the first commit, because SQLite's -wal file does not exist earlier.
  explicit Place(std::filesystem::path path);
  // Returns whether the trace was removed or replaced by another file. Returns false if this cannot
  // be determined.
  bool was_taken() const noexcept;
  // Removes the -wal and -shm files of the trace. Otherwise SQLite would use them for another file
  // that gets the name of the trace. Call this function if the trace itself is gone. Never throws.
  void remove_leftovers() const noexcept;

 private:
  std::filesystem::path path_;
  std::optional<FileIdentity> trace_;
  std::optional<FileIdentity> wal_;
};

// Removes a trace and the files that SQLite keeps beside it. Never throws.
void remove_files(const std::filesystem::path& path) noexcept;

// Returns whether the file is a trace of any format version; false if it cannot be read.
bool is_trace(const std::filesystem::path& path);

// Facts about the finished program that `lapscope record` writes into the traces.
struct Ending {
  int exit_status = 0;  // as a shell reports it: 128 + n for signal n
  std::int64_t elapsed_ns = 0;
};

// A summary of one trace.
struct Content {
  std::filesystem::path path;
  std::int64_t ops = 0;        // kernels, copies and memsets
  std::int64_t losses = 0;     // records known to be missing
  bool complete = false;       // closed by the collector at exit
  bool still_written = false;  // its process outlives the started program
  std::optional<std::string> write_error;
  std::optional<std::string> problem;
  std::string pid;   // empty if not known
  std::string rank;  // empty when the process had none
};

// Writes the ending into a trace, moves the contents of the -wal file into the trace, and returns a
// summary of the trace. If the collector did not close the trace, marks it: as failed if there is a
// `failure`, else as cut off. Does not change a trace that is still being written. Throws
// schema::SqliteError.
Content seal(const std::filesystem::path& path, const Ending& ending,
             const WriteFailure* failure = nullptr);

// Adds the runs of `record --bare` (LAPSCOPE_RUNS) to a sealed trace. Throws schema::SqliteError.
void add_runs(const std::filesystem::path& path, std::span<const schema::RunRow> runs);

// Add the cost of recording per call (LAPSCOPE_CALL_COSTS) to a trace, or the reason why the cost
// is unknown. Throw schema::SqliteError.
void add_call_costs(const std::filesystem::path& path, std::span<const schema::CallCostRow> costs);
void add_not_calibrated(const std::filesystem::path& path, const std::string& why);

// The properties of a recording that determine how much time recording costs per call.
struct Setting {
  std::string host;
  std::string gpu;  // name of the first GPU
  std::string driver;
  std::string cupti;

  friend bool operator==(const Setting&, const Setting&) = default;
};
// Returns the setting of a trace. Throws schema::SqliteError.
Setting setting_of(const std::filesystem::path& path);

// Returns one row for each text of NVTX ranges: the number of these ranges, and the time in ns in
// which at least one of them was open. Sets only the members `range`, `count` and `ns`. Does not
// count ranges that were never closed. Throws schema::SqliteError.
std::vector<schema::RunRow> range_times(const std::filesystem::path& path);

// Returns whether a running process writes this trace.
bool is_being_written(const std::filesystem::path& path);

// Returns the traces of one recording: files whose fact "session" is `session`. `wanted` is their
// path or pattern (output_name.h). Also finds names that claim_output() has changed.
std::vector<std::filesystem::path> traces_of_session(const std::filesystem::path& wanted,
                                                     std::string_view session);

}  // namespace lapscope::trace

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

// A trace as a file: who may write to which path, and what `lapscope record` adds at the end.
namespace lapscope::trace {

// Takes `wanted` for this process by creating it, or, when another process of the same recording
// has taken it, a name with the process id before the extension (t.sqlite -> t.4711.sqlite, or
// t.4711-2.sqlite when that exists too). Throws std::system_error when none can be created.
std::filesystem::path claim_output(const std::filesystem::path& wanted, std::uint32_t pid);

// Identifies a file, independent of its name.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// The id of the file that the path names now; nothing if it names none. Throws std::system_error if
// that cannot be found out, as on a network file system that does not answer.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

// Where the files of a trace lie that is being written: to find out whether they are still there.
class Place {
 public:
  // The trace has been committed once, so that SQLite's -wal file is there too.
  explicit Place(std::filesystem::path path);
  // Whether the path names no file any more, or a different one. False if that cannot be found out.
  bool was_taken() const noexcept;
  // Removes what SQLite keeps beside the trace and leaves there if the trace itself is gone: it
  // would be taken for a part of the file that has its name now. Never throws.
  void remove_leftovers() const noexcept;

 private:
  std::filesystem::path path_;
  std::optional<FileIdentity> trace_;
  std::optional<FileIdentity> wal_;
};

// Removes a trace and the files that SQLite keeps beside one. Never throws.
void remove_files(const std::filesystem::path& path) noexcept;

// Whether the file at this path is a trace of any format version. False for what cannot be read.
bool is_trace(const std::filesystem::path& path);

// What the launcher knows once the program has ended.
struct Ending {
  int exit_status = 0;  // as a shell reports it: 128 + n for signal n
  std::int64_t elapsed_ns = 0;
};

// What one trace holds, in numbers.
struct Content {
  std::filesystem::path path;
  std::int64_t ops = 0;        // kernels, copies and memsets
  std::int64_t losses = 0;     // records known to be missing
  bool complete = false;       // closed by the collector at exit
  bool still_written = false;  // its process outlives the program that was started
  std::optional<std::string> write_error;
  std::optional<std::string> problem;
  std::string pid;   // empty if not known
  std::string rank;  // empty when the process had none
};

// Writes the ending into a trace, marks one whose collector never got to close it as cut off, or as
// failed where a note says that it could not be written on, and folds -wal and -shm files into it.
// A trace that is still being written is left as it is. Throws schema::SqliteError.
Content seal(const std::filesystem::path& path, const Ending& ending,
             const WriteFailure* failure = nullptr);

// Adds the runs that were made beside that of this trace, which is sealed. Throws
// schema::SqliteError.
void add_runs(const std::filesystem::path& path, std::span<const schema::RunRow> runs);

// Adds what recording costs, or why that is not known. Throws schema::SqliteError.
void add_call_costs(const std::filesystem::path& path, std::span<const schema::CallCostRow> costs);
void add_not_calibrated(const std::filesystem::path& path, const std::string& why);

// What a trace was recorded with, as far as calls cost more or less by it.
struct Setting {
  std::string host;
  std::string gpu;  // the first one
  std::string driver;
  std::string cupti;

  friend bool operator==(const Setting&, const Setting&) = default;
};
// Throws schema::SqliteError.
Setting setting_of(const std::filesystem::path& path);

// The NVTX ranges of a trace by text: `range`, `count` and `ns` of each. Ranges that were never
// closed do not count. Throws schema::SqliteError.
std::vector<schema::RunRow> range_times(const std::filesystem::path& path);

// Whether a living process writes this trace.
bool is_being_written(const std::filesystem::path& path);

// The traces of one recording: the wanted path itself, or the names that it is the pattern of
// (output_name.h), and those that claim_output named after these.
// Only files that carry `session` count, so that an older recording beside them is left alone.
std::vector<std::filesystem::path> traces_of_session(const std::filesystem::path& wanted,
                                                     std::string_view session);

}  // namespace lapscope::trace

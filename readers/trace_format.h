#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/capabilities.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/holes.h"
#include "readers/tables/provenance.h"
#include "readers/tables/read_target.h"
#include "readers/tables/row_limit.h"

namespace lapscope::trace {
class TraceWriter;
}

namespace lapscope::analyzer {

// The certainty that a file has a format.
enum class Likeness { none, possible, certain };

// Files of a format that are not SQLite databases: how to recognise them, and how to convert them.
struct SourceFile {
  // Judges whether a file has this format. The file's name or first bytes decide. Null if all files
  // of the format are databases.
  Likeness (*likeness)(const std::filesystem::path& file) = nullptr;
  // Returns a command of the format's own tool that converts `file` to `database`, for users to
  // paste. TraceFormat::version_of accepts this database. Either this member or `import` is set.
  std::vector<std::string> (*export_command)(const std::filesystem::path& file,
                                             const std::filesystem::path& database) = nullptr;
  // Writes the file as a trace in lapscope's layout. Sets the fact converted_from to the format and
  // its version. `done` may be null. It gets the number of bytes of the file that were read. Throws
  // schema::SqliteError for errors of the database. For other errors, and if the file exceeds
  // `limit`, throws a std::exception with a sentence that names the file.
  void (*import)(const std::filesystem::path& file, trace::TraceWriter& trace,
                 std::atomic<std::int64_t>* done, RowLimit limit) = nullptr;
  double import_seconds = 0;  // per MB
  Share trace_share = 1;      // size of the resulting trace divided by the file's size
};

// Describes the traces of one recording tool: what they may contain, and how they differ from other
// traces. The code in readers/tables reads the rows. To add a format, add a folder that defines a
// TraceFormat. Also add a declaration and a line at the end of this file.
struct TraceFormat {
  std::string_view name;           // TraceFacts::format begins with it: "nsys" of "nsys/3.24.14"
  std::string_view recorder;       // the tool, as users know it
  std::string_view database = {};  // what users call its databases; empty if it has none
  Capabilities knows = {};
  Lacks lacks = {};
  bool obeys_laws = false;  // the laws of collector/schema/laws.h hold
  SourceFile file = {};
  // Returns the format version of a database that is not in lapscope's layout. Returns nothing if
  // the database has another format. This pointer is null if all databases of the format are in
  // lapscope's layout.
  std::optional<std::string> (*version_of)(schema::Database& database) = nullptr;

  // The steps of reading, in order. `begin` sets TraceFacts, TraceSettings and the recording's
  // health rows before any row is read.
  Extent (*begin)(schema::Database& database, Trace& trace) = nullptr;
  std::optional<std::int64_t> (*end_of_recording)(schema::Database& database) = last_reading;
  ListedGpus (*gpus)(schema::Database& database) = read_gpus;
  std::vector<CudaContext> (*contexts)(schema::Database& database) = read_contexts;
  // Add data about streams and about the host that only this format records. Each may be null.
  void (*add_to_streams)(schema::Database& database, Trace& trace) = nullptr;
  void (*add_to_host)(schema::Database& database, Trace& trace) = nullptr;
};

// Returns the format with this name, such as "nsys". The name may be followed by a version, as in
// "nsys/3.24.14". Returns null if no format has that name.
const TraceFormat* format_named(std::string_view name);

// Returns the format of a file that is not a database. Returns null if no format matches, or if the
// file is a database.
const TraceFormat* format_of_source(const std::filesystem::path& file,
                                    Likeness at_least = Likeness::possible);

// The capabilities of profiles of PyTorch and XProf, which have ops and the calls that issued them.
inline constexpr Capabilities profile_capabilities = {.every_kind = false,
                                                      .recorded_kinds = false,
                                                      .driver_calls = false,
                                                      .lost_records = false,
                                                      .empty_tables = false,
                                                      .end_of_gpu = false,
                                                      .graph_nodes = false,
                                                      .addresses = false};

extern const TraceFormat lapscope_format;
extern const TraceFormat nsys_format;
extern const TraceFormat xprof_format;
extern const TraceFormat kineto_format;

inline constexpr const TraceFormat* formats[] = {
    &lapscope_format,
    &nsys_format,
    &xprof_format,  // before kineto_format, which takes all JSON
    &kineto_format,
};

}  // namespace lapscope::analyzer

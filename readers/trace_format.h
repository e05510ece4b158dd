#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
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

// How sure it is that a file has a format.
enum class Likeness { none, possible, certain };

// The files of a format that are no SQLite databases, and how one is made of them.
struct SourceFile {
  // By the name of the file or by how it begins. Null: all files of the format are databases.
  Likeness (*likeness)(const std::filesystem::path& file) = nullptr;
  // One of the next two members is set. This is the command of the format's own tool that makes
  // `database`, which TraceFormat::version_of knows then; it can be pasted, too.
  std::vector<std::string> (*export_command)(const std::filesystem::path& file,
                                             const std::filesystem::path& database) = nullptr;
  // Writes a trace in lapscope's layout whose fact converted_from is the format and its version.
  // `done`, which may be null, counts bytes of the file. Throws a std::exception with a sentence
  // for the user that names the file, also as soon as there is more than `limit`, and
  // schema::SqliteError.
  void (*import)(const std::filesystem::path& file, trace::TraceWriter& trace,
                 std::atomic<std::int64_t>* done, RowLimit limit) = nullptr;
  double import_seconds = 0;  // a MB
  Share trace_share = 1;      // the size of the trace that is made, as a share of the file's
};

// What traces are recorded by, and so what they can contain; everything about them that other
// formats do not share. Their rows are read by readers/tables. A format is added by a folder with
// one of these, its declaration below and one line in format_registry.cpp.
struct TraceFormat {
  std::string_view name;           // TraceFacts::format begins with it: "nsys" of "nsys/3.24.14"
  std::string_view recorder;       // the tool, as users know it
  std::string_view database = {};  // what users call its databases, where it has some
  Capabilities knows = {};
  Lacks lacks = {};
  bool obeys_laws = false;  // those of collector/schema/laws.h
  SourceFile file = {};
  // The version of the format of a database that is not in lapscope's layout; nothing if the
  // database has another format. Null: all databases of the format are in lapscope's layout.
  std::optional<std::string> (*version_of)(schema::Database& database) = nullptr;

  // What is read of a database in turn. The first sets TraceFacts, TraceSettings and what is known
  // of the recording's health before a row is read.
  Extent (*begin)(schema::Database& database, Trace& trace) = nullptr;
  std::optional<std::int64_t> (*end_of_recording)(schema::Database& database) = last_reading;
  ListedGpus (*gpus)(schema::Database& database) = read_gpus;
  std::vector<CudaContext> (*contexts)(schema::Database& database) = read_contexts;
  // Adds to the streams, and to the host, what no other format records. May be null.
  void (*add_to_streams)(schema::Database& database, Trace& trace) = nullptr;
  void (*add_to_host)(schema::Database& database, Trace& trace) = nullptr;
};

std::span<const TraceFormat* const> formats();

// The format of "nsys/3.24.14", or "nsys". Null if no format has that name.
const TraceFormat* format_named(std::string_view name);

// The format of a file that is no database. Null if it has none, or is a database.
const TraceFormat* format_of_source(const std::filesystem::path& file,
                                    Likeness at_least = Likeness::possible);

// What frameworks' own profiles record: what ran, and what issued it.
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
extern const TraceFormat kineto_format;
extern const TraceFormat xprof_format;

}  // namespace lapscope::analyzer

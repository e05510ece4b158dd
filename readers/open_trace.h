#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "analyzer/model/health.h"
#include "collector/schema/sqlite.h"
#include "readers/trace_format.h"

namespace lapscope::analyzer {

struct OpenedTrace {
  schema::Database database;
  const TraceFormat* format;  // never null; for a converted trace, the source's format
  std::string format_name;    // for TraceFacts::format
  // True if no process writes to the file. Two connections to the file then read the same contents.
  bool is_still = false;
  std::optional<HealthRow> unread_log = {};  // set if part of the log is unreadable
};

// Opens a connection to a trace that no process writes to.
schema::Database open_still(const std::filesystem::path& path);

// Determines the format of a database in lapscope's layout. `path` is the file that the database
// was made from. Throws UnreadableTrace if the database was converted from a format that lapscope
// does not know.
OpenedTrace opened_trace(schema::Database database, const std::filesystem::path& path,
                         bool is_still);

// Opens a complete SQLite database that is a trace of a known version. Throws UnreadableTrace or
// schema::SqliteError.
OpenedTrace open_trace(const std::filesystem::path& path);

}  // namespace lapscope::analyzer

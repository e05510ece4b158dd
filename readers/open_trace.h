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
  const TraceFormat* format;  // never null; of a converted trace, what it was made of
  std::string format_name;    // for TraceFacts::format
  // Nobody writes to the file: it can be opened a second time and be the same.
  bool is_still = false;
  std::optional<HealthRow> unread_log = {};  // what could not be read from it
};

// How every connection is made to a trace that no process writes to.
schema::Database open_still(const std::filesystem::path& path);

// A database in lapscope's layout, of which only the format is to be determined. Throws
// UnreadableTrace if lapscope has no format of that name; `path` is the file it was made from.
OpenedTrace opened_trace(schema::Database database, const std::filesystem::path& path,
                         bool is_still);

// Opens a file, having made sure that it is a whole SQLite database and a trace of a known version.
// Throws UnreadableTrace or schema::SqliteError.
OpenedTrace open_trace(const std::filesystem::path& path);

}  // namespace lapscope::analyzer

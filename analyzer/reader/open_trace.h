#pragma once

#include <filesystem>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

enum class TraceFormat { lapscope, nsys };

struct OpenedTrace {
  schema::Database database;
  TraceFormat format;
  std::string format_name;  // for TraceFacts::format
  // Nobody writes to the file: it can be opened a second time and be the same.
  bool is_still = false;
};

// The way in which every connection to a trace is made that nobody writes to.
schema::Database open_still(const std::filesystem::path& path);

// Opens a file, having made sure that it is a whole SQLite database and a trace of a known version.
// Throws UnreadableTrace or schema::SqliteError.
OpenedTrace open_trace(const std::filesystem::path& path);

}  // namespace lapscope::analyzer

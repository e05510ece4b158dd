#pragma once

#include <filesystem>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// What a trace was recorded by, and so what it can tell. A trace that `lapscope convert` made is of
// the format that it was made of.
enum class TraceFormat { lapscope, nsys, kineto };

struct OpenedTrace {
  schema::Database database;
  TraceFormat format;
  std::string format_name;  // for TraceFacts::format
  // Nobody writes to the file: it can be opened a second time and be the same.
  bool is_still = false;
};

// The way in which every connection to a trace is made that nobody writes to.
schema::Database open_still(const std::filesystem::path& path);

// A database that is a trace of lapscope, of which no more is to be made sure.
OpenedTrace opened_trace(schema::Database database, bool is_still);

// Opens a file, having made sure that it is a whole SQLite database and a trace of a known version.
// Throws UnreadableTrace or schema::SqliteError.
OpenedTrace open_trace(const std::filesystem::path& path);

}  // namespace lapscope::analyzer

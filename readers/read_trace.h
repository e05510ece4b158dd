#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/model/names.h"
#include "analyzer/model/progress.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/row_limit.h"
#include "readers/tables/unreadable_trace.h"

namespace lapscope::analyzer {

// Reads a trace database of any format in trace_format.h. Uses up to two threads. Writes nothing,
// not even beside the file. `progress` may be null. It gets the number of rows read from the large
// tables. `progress->expected` may be too high if rows were deleted. Throws UnreadableTrace if the
// trace cannot be read or exceeds `limit`.
//
// `communication` are patterns for the names of kernels that communicate. If a pattern fits only
// the name with namespaces, Trace::names has this name (communicating_name()).
//
// Uses at most 100 bytes of memory for each op, including its call.
Trace read_trace(const std::filesystem::path& path, Progress* progress = nullptr,
                 RowLimit limit = {},
                 const std::vector<std::string>& communication = default_communication_patterns());

// Reads a trace from an open database. `path` is the file from which the database was made.
Trace read_trace(schema::Database database, const std::filesystem::path& path,
                 Progress* progress = nullptr, RowLimit limit = {},
                 const std::vector<std::string>& communication = default_communication_patterns());

// Reads all pages of a trace and returns the report of PRAGMA quick_check; nothing if the pages are
// intact.
std::optional<HealthRow> damaged_pages(const std::filesystem::path& path);

}  // namespace lapscope::analyzer

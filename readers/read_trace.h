#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "analyzer/model/progress.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/row_limit.h"
#include "readers/tables/unreadable_trace.h"

namespace lapscope::analyzer {

// Reads a database of any format in format_registry.cpp, as far as it records the same things, with
// two threads. Nothing is written, not even beside the file. `progress` may be null; it counts rows
// of the large tables, of which `expected` may have too many by rows that were deleted. Throws
// UnreadableTrace, also if there is more than `limit`.
//
// Takes at most 100 bytes per op with its call.
Trace read_trace(const std::filesystem::path& path, Progress* progress = nullptr,
                 RowLimit limit = {});

// The same of a trace that is no file: `path` is what it was made of.
Trace read_trace(schema::Database database, const std::filesystem::path& path,
                 Progress* progress = nullptr, RowLimit limit = {});

// What SQLite finds wrong with the pages of a trace; they are read for it once more. Nothing if
// they are as SQLite wrote them.
std::optional<HealthRow> damaged_pages(const std::filesystem::path& path);

}  // namespace lapscope::analyzer

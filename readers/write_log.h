#pragma once

#include <filesystem>
#include <optional>

#include "analyzer/model/health.h"

namespace lapscope::analyzer {

// Returns the path of the write-ahead log, the file in which SQLite keeps the latest writes.
std::filesystem::path write_log_of(const std::filesystem::path& database);

// Returns true if the database has a log with contents, or a log that a process has open.
bool has_write_log(const std::filesystem::path& database);

// Reports the part of a write-ahead log that SQLite ignores silently. If the log's header is
// invalid, this is the whole log. Otherwise, it is the frames after the last complete transaction.
// Returns nothing if SQLite reads the whole log. Frames of an older log and of a write in progress
// are not reported.
//
// Call it before this process opens the database: checking file locks drops the locks of this
// process.
std::optional<HealthRow> unread_log(const std::filesystem::path& database);

}  // namespace lapscope::analyzer

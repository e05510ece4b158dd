#pragma once

#include <filesystem>
#include <optional>

#include "analyzer/model/health.h"

namespace lapscope::analyzer {

// Returns the path of a database's write-ahead log, the file in which SQLite keeps the latest
// writes.
std::filesystem::path write_log_of(const std::filesystem::path& database);

// Returns true if the database has a log with contents, or a log that a process has open.
bool has_write_log(const std::filesystem::path& database);

// Reports the part of a log that SQLite ignores silently. If the header is invalid, SQLite ignores
// the whole log. If the header is valid, SQLite ignores the frames after the last complete
// transaction. Frames of an older log or of a write in progress are not reported. Returns nothing
// if SQLite reads the whole log. Call this function before this process opens the database. The
// function checks file locks, and the check drops the locks that this process holds.
std::optional<HealthRow> unread_log(const std::filesystem::path& database);

}  // namespace lapscope::analyzer

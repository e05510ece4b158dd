#pragma once

#include <filesystem>
#include <optional>

#include "analyzer/model/health.h"

namespace lapscope::analyzer {

// The file that SQLite keeps beside a database with what was written last (its write-ahead log).
std::filesystem::path write_log_of(const std::filesystem::path& database);

// Whether there is a log that holds anything, or that a process has open.
bool has_write_log(const std::filesystem::path& database);

// What SQLite leaves out without a word when it reads a database with its log: all of a log that
// does not begin as one, and what comes behind the last complete transaction, unless it is left of
// an older log or being written just now. Nothing if SQLite takes the whole log. To be called
// before the database is opened: it looks at locks, and gives up those of the process.
std::optional<HealthRow> unread_log(const std::filesystem::path& database);

}  // namespace lapscope::analyzer

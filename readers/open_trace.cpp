#include "readers/open_trace.h"

#include <array>
#include <cstring>
#include <fstream>

#include "analyzer/model/limits.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"
#include "readers/foreign/foreign_files.h"
#include "readers/read_trace.h"
#include "readers/tables/provenance.h"
#include "readers/trace_format.h"
#include "readers/write_log.h"

namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;
using schema::Database;

// The first 100 bytes of an SQLite database. Layout: https://www.sqlite.org/fileformat.html,
// section 1.3.
using Header = std::array<unsigned char, 100>;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw UnreadableTrace("'" + path.string() + "' " + why);
}

std::uint64_t big_endian(const Header& header, std::size_t offset, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | header[offset + i];
  return value;
}

// Refuses a database that was cut short. SQLite opens it without an error, but reading a missing
// page may fail or return wrong rows.
void check_size(const fs::path& path, const Header& header) {
  const std::uint64_t page_size =
      big_endian(header, 16, 2) == 1 ? 65536 : big_endian(header, 16, 2);
  const std::uint64_t pages = big_endian(header, 28, 4);
  const bool page_count_valid = big_endian(header, 24, 4) == big_endian(header, 92, 4);
  if (page_count_valid && fs::file_size(path) < page_size * pages) {
    refuse(path, "is cut short: it has " + std::to_string(fs::file_size(path)) + " of " +
                     std::to_string(page_size * pages) + " bytes. Copy or record it again.");
  }
}

Database limited(Database database) {
  database.limit_rows(limits::row_bytes);
  return database;
}

// A running or killed program leaves its last writes in the write-ahead log beside the file. While
// a process writes, the log has an index (-shm), and readers must take locks in it. If there is no
// index, no process writes. The file is then opened without locks, and opening creates no file.
Database open_with_log(const fs::path& path) {
  const bool has_index = fs::exists(path.string() + "-shm");
  return limited(has_index ? Database(path, Database::Mode::read_only) : Database::unlocked(path));
}

// Refuses a database with a rollback journal. The -journal file has the old contents of pages that
// an unfinished transaction has overwritten. Without this file, the database has only a part of the
// transaction. A finished transaction leaves an empty or zeroed journal.
void check_journal(const fs::path& path) {
  std::ifstream journal(path.string() + "-journal", std::ios::binary);
  if (!journal || journal.get() <= 0) return;
  const std::string name = path.filename().string();
  refuse(path, "has an unfinished change. SQLite undoes it with '" + name +
                   "-journal'. Copy both files to a folder that can be written and run `sqlite3 " +
                   name + " 'PRAGMA integrity_check'` there, or record again.");
}

Database open_database(const fs::path& path, bool has_log) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    refuse(path, error && error.value() != ENOENT
                     ? "cannot be read: " + error.message() + "."
                     : "does not exist. Record a trace with `lapscope record -o FILE -- APP`.");
  }
  if (fs::is_directory(status)) {
    refuse(path, foreign_file(path).value_or("is a folder, not a trace. Name a trace in it, or "
                                             "give `lapscope analyze` a folder of traces."));
  }
  if (!fs::is_regular_file(status)) refuse(path, "is not a regular file, so not a trace.");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, "cannot be read: " + std::string(std::strerror(errno)) + ".");
  Header header{};
  if (has_bytes(path)) file.read(reinterpret_cast<char*>(header.data()), header.size());
  constexpr char magic[] = "SQLite format 3";
  if (std::memcmp(header.data(), magic, sizeof magic) != 0) {
    refuse(path, foreign_file(path).value_or(
                     "is not an SQLite database, so not a trace. Record one with `lapscope record "
                     "-o FILE -- APP`."));
  }
  check_journal(path);
  if (has_log) return open_with_log(path);
  check_size(path, header);
  return open_still(path);
}

}  // namespace

Database open_still(const fs::path& path) { return limited(Database::immutable(path)); }

std::optional<HealthRow> damaged_pages(const fs::path& path) {
  std::int64_t count = 0;
  std::string first;
  try {
    Database database = open_database(path, has_write_log(path));
    schema::Statement check(database, "PRAGMA quick_check(100)");
    while (check.step()) {
      if (check.text(0) == "ok") return std::nullopt;
      if (count++ == 0) first = check.text(0);
    }
  } catch (const schema::SqliteError& error) {
    count = 1;
    first = error.what();
  }
  return HealthRow{HealthKind::damaged_pages, count, {first}};
}

OpenedTrace opened_trace(Database database, const fs::path& path, bool is_still) {
  const auto capture = read_capture(database);
  const auto source = capture.find(schema::fact::converted_from);
  const auto version = database.query_int64("PRAGMA user_version").value_or(0);
  const std::string name =
      source == capture.end() ? "lapscope/" + std::to_string(version) : source->second;
  const TraceFormat* format = format_named(name);
  if (format == nullptr) {
    refuse(path, "was converted from a format that this lapscope does not know: '" + name +
                     "'. Use the lapscope that converted it, or a newer one.");
  }
  return {std::move(database), format, name, is_still};
}

OpenedTrace open_trace(const fs::path& path) {
  const bool has_log = has_write_log(path);
  const auto unread = has_log ? unread_log(path) : std::nullopt;
  Database database = open_database(path, has_log);
  if (database.query_int64("PRAGMA application_id") == schema::application_id) {
    const auto version = database.query_int64("PRAGMA user_version").value_or(0);
    if (version > schema::format_version) {
      refuse(path, "has trace format version " + std::to_string(version) +
                       "; this lapscope reads up to version " +
                       std::to_string(schema::format_version) +
                       ". Use the lapscope that recorded it, "
                       "or a newer one.");
    }
    try {
      OpenedTrace opened = opened_trace(std::move(database), path, !has_log);
      opened.unread_log = unread;
      return opened;
    } catch (const schema::MissingColumn& error) {
      refuse(path, std::string("cannot be analyzed: its ") + error.what() + ".");
    }
  }
  std::string others;
  for (const TraceFormat* format : formats) {
    const auto version = format->version_of ? format->version_of(database) : std::nullopt;
    if (version) {
      const std::string name =
          std::string(format->name) + "/" + (version->empty() ? "unknown" : *version);
      return {std::move(database), format, name, !has_log, unread};
    }
    if (format->database.empty()) continue;
    others += (others.empty() ? "neither " : " nor ") + std::string(format->database);
  }
  const std::string log =
      "; its log, '" + write_log_of(path).filename().string() + "', cannot be recovered.";
  refuse(path, foreign_database(database).value_or(
                   "is an SQLite database, but " + others +
                   (unread ? log : ". Record a trace with `lapscope record -o FILE -- APP`.")));
}

const TraceFormat* format_named(std::string_view name) {
  for (const TraceFormat* format : formats) {
    if (format->name == name.substr(0, name.find('/'))) return format;
  }
  return nullptr;
}

const TraceFormat* format_of_source(const std::filesystem::path& file, Likeness at_least) {
  for (const TraceFormat* format : formats) {
    const auto likeness = format->file.likeness;
    if (likeness != nullptr && likeness(file) >= at_least) return format;
  }
  return nullptr;
}

}  // namespace lapscope::analyzer

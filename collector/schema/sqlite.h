#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

// The little of SQLite that lapscope needs, with ownership and errors made C++.
namespace lapscope::schema {

// A failed SQLite call. what() is SQLite's own sentence; code() its extended result code.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(int code, const std::string& message);
  int code() const { return code_; }

 private:
  int code_;
};

// Whether a row has more bytes than Database::limit_rows allows.
bool is_too_big(const SqliteError& error);

class Database;

// Sets SQLite up, for which it reads the environment. The first Database does so if it was not done
// before.
void start_sqlite();

enum class ValueType { null, integer, real, text, blob };

// A prepared statement. Indices start at 1 for parameters and at 0 for result columns, as in
// SQLite.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  // For SQL that a user wrote: throws if the statement has no result, and if there is a second
  // statement, which would never run.
  static Statement single(Database& database, std::string_view sql);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  // The text must stay alive until the statement has been stepped and reset.
  void bind(int index, std::string_view value);
  void bind(int index, std::string&& temporary) = delete;
  void bind_null(int index);
  // The value of a column of another statement, of any type, also of another connection.
  void bind_copy(int index, const Statement& from, int column);

  // True while there is a row; throws SqliteError on failure.
  bool step();
  void reset();
  // Steps a statement that returns no rows, and resets it.
  void execute();

  std::vector<std::string> column_names() const;
  ValueType type(int column) const;  // of the value in this row
  bool is_null(int column) const;
  // Empty for NULL, texts, blobs and reals.
  std::optional<std::int64_t> integer(int column) const;
  std::int64_t int64(int column) const;
  double real(int column) const;
  // Valid until the next step or reset.
  std::string_view text(int column) const;

 private:
  sqlite3_stmt* statement_ = nullptr;
};

// One connection. Used by one thread at a time.
class Database {
 public:
  enum class Mode {
    read_only,
    read_write,
    create,  // read-write; made when absent
  };

  Database(const std::filesystem::path& path, Mode mode);
  static Database in_memory();
  // On disk (SQLITE_TMPDIR, else TMPDIR, else /var/tmp) as far as it does not fit into the cache,
  // in a file without a name: nothing is left of it however the process ends.
  static Database unnamed();
  // Opens without locks and without -wal or -shm files beside the database. Only right for a file
  // that no process is writing; it lets a trace in a read-only folder be read and leaves nothing
  // behind.
  static Database immutable(const std::filesystem::path& path);
  // Reads a database with its -wal file, likewise without locks and without a -shm file beside it.
  // Only right if no process is writing.
  static Database unlocked(const std::filesystem::path& path);
  // Read-write, of a file without a name that the process has open, as /proc/self/fd/N. A journal
  // is kept in memory: there can be none beside it.
  static Database nameless(const std::filesystem::path& path);

  ~Database();
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql);
  // For a file from an untrusted source: a row that is larger is an error, and so is SQL that only
  // its schema can ask for.
  void limit_rows(int bytes);
  // From here on statements can only read: SELECT, with SQLite's functions.
  void allow_only_select();
  // Throws if the table is there as a view or a virtual table: those in a file from an untrusted
  // source are never read.
  bool has_table(std::string_view table);
  bool has_column(std::string_view table, std::string_view column);
  // The first column of the first row; empty when there is no row or it is NULL.
  std::optional<std::int64_t> query_int64(std::string_view sql);
  std::optional<std::string> query_text(std::string_view sql);

  // What its file would hold.
  std::string serialized();

  std::int64_t last_rowid() const;
  // How long to wait for another connection's lock before failing with SQLITE_BUSY; at first not at
  // all.
  void set_busy_timeout(int milliseconds);

  sqlite3* handle() { return database_; }

  // Values that a column cannot have, in rows that were read through this connection
  // (readers/tables/scan.h).
  struct Impossible {
    std::string_view table;
    std::string_view column;
    std::int64_t rows = 0;
    std::int64_t first = 0;        // the value of the first
    bool is_of_collector = false;  // ColumnInfo
  };
  void note_impossible(const Impossible& one);
  const std::vector<Impossible>& impossible() const { return impossible_; }

 private:
  Database(const std::string& name, int flags, const char* vfs = nullptr);
  std::vector<Impossible> impossible_;
  std::optional<Statement> kind_of_table_;  // kept: to prepare it takes longer than to run it
  sqlite3* database_ = nullptr;
};

}  // namespace lapscope::schema

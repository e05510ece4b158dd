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

// A thin C++ wrapper for SQLite, with RAII and exceptions.
namespace lapscope::schema {

// A failed SQLite call. what() returns SQLite's own message, and code() returns SQLite's extended
// result code.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(int code, const std::string& message);
  int code() const { return code_; }

 private:
  int code_;
};

// Returns whether the error means that a row has more bytes than Database::limit_rows() allows.
bool is_too_big(const SqliteError& error);

class Database;

// Initializes SQLite. During this call, SQLite reads environment variables. The constructor of the
// first Database calls start_sqlite() if no other code has called it.
void start_sqlite();

enum class ValueType { null, integer, real, text, blob };

// A prepared statement. Indices start at 1 for parameters and at 0 for result columns, as in
// SQLite.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  // Prepares SQL that a user wrote. Throws if the statement has no result. Also throws if a second
  // statement follows, because SQLite would not run it.
  static Statement single(Database& database, std::string_view sql);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  // The text must exist until the statement has been stepped and reset.
  void bind(int index, std::string_view value);
  void bind(int index, std::string&& temporary) = delete;
  void bind_null(int index);
  // Binds the value of a column of another statement. The value may have any type. The two
  // statements may belong to different connections.
  void bind_copy(int index, const Statement& from, int column);

  // Goes to the next row. Returns false if there are no more rows. Throws SqliteError on failure.
  bool step();
  void reset();
  // Steps a statement that returns no rows, and resets it.
  void execute();

  std::vector<std::string> column_names() const;
  ValueType type(int column) const;  // the type of the value in the current row
  bool is_null(int column) const;
  // Returns the value if it is an integer; nothing for NULL, texts, blobs and reals.
  std::optional<std::int64_t> integer(int column) const;
  std::int64_t int64(int column) const;
  double real(int column) const;
  // The text is valid until the next step or reset.
  std::string_view text(int column) const;

 private:
  sqlite3_stmt* statement_ = nullptr;
};

// A connection to a database. Only one thread may use it at a time.
class Database {
 public:
  enum class Mode {
    read_only,
    read_write,
    create,  // read-write; creates a missing file
  };

  Database(const std::filesystem::path& path, Mode mode);
  static Database in_memory();
  // Creates a temporary database. Pages that do not fit into the cache go to a file without a name.
  // The file lies in the first usable folder of $SQLITE_TMPDIR, $TMPDIR and /var/tmp. When the
  // process ends, the file disappears, even after a crash.
  static Database unnamed();
  // Opens a file read-only, without locks and without a -wal or -shm file beside it. So the file
  // can be in a read-only folder, and SQLite leaves no other files in this folder. While the file
  // is open, no process may write to it.
  static Database immutable(const std::filesystem::path& path);
  // Opens a database and its -wal file read-only, without locks and without a -shm file. While they
  // are open, no process may write them.
  static Database unlocked(const std::filesystem::path& path);
  // Opens a file without a name for reading and writing. `path` is /proc/self/fd/N, where N is an
  // open file descriptor of this process. The journal is kept in memory, because a file without a
  // name cannot have a journal file beside it.
  static Database nameless(const std::filesystem::path& path);

  ~Database();
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql);
  // Prepares this connection for a file from an untrusted source. After this call, the connection
  // can only read. A row of more than `bytes` bytes is an error. SQL that is more complex than the
  // SQL of lapscope is an error, too, because it can only come from the file's schema.
  void limit_rows(int bytes);
  // After this call, statements can only be SELECT. They may use SQLite's functions.
  void allow_only_select();
  // Returns whether the database has the table. Throws if `table` names a view or a virtual table.
  // Views and virtual tables are never read, because the file may be untrusted.
  bool has_table(std::string_view table);
  bool has_column(std::string_view table, std::string_view column);
  // Return the first column of the first row; nothing if there is no row or if the value is NULL.
  std::optional<std::int64_t> query_int64(std::string_view sql);
  std::optional<std::string> query_text(std::string_view sql);

  // Returns the content that a file with this database would have.
  std::string serialized();

  std::int64_t last_rowid() const;
  // Sets how long to wait for another connection's lock before failing with SQLITE_BUSY. By
  // default, there is no wait.
  void set_busy_timeout(int milliseconds);

  sqlite3* handle() { return database_; }

  // Invalid values of one column: values outside the enumeration or domain of the column. They were
  // found in rows that were read through this connection (readers/tables/scan.h).
  struct Impossible {
    std::string_view table;
    std::string_view column;
    std::int64_t rows = 0;
    std::int64_t first = 0;        // value in the first such row
    bool is_of_collector = false;  // see ColumnInfo::is_of_collector
  };
  void note_impossible(const Impossible& one);
  const std::vector<Impossible>& impossible() const { return impossible_; }

 private:
  Database(const std::string& name, int flags, const char* vfs = nullptr);
  std::vector<Impossible> impossible_;
  // Kept for the next use, because preparing this statement takes longer than running it.
  std::optional<Statement> kind_of_table_;
  sqlite3* database_ = nullptr;
};

}  // namespace lapscope::schema

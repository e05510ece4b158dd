#include "collector/schema/sqlite.h"

#include <fcntl.h>
#include <sqlite3.h>

#include <utility>

namespace lapscope::schema {
namespace {

constexpr std::string_view open_files = "/proc/self/fd/";

int open_following(const char* name, int flags, int mode) {
  if (std::string_view(name).starts_with(open_files)) flags &= ~O_NOFOLLOW;
  return ::open(name, flags, mode);
}

int take_as_is(sqlite3_vfs*, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

// Returns the name of an SQLite VFS that can open an open file of this process as /proc/self/fd/N,
// even a file without a name (O_TMPFILE). SQLite's usual VFSs replace this link by the name of the
// file, so they fail for a file without a name.
//
// The file cannot have a journal beside it. start_sqlite() must be called first. The first call of
// this function also changes SQLite's other VFSs: from then on, they open files below /proc/self/fd
// without O_NOFOLLOW.
const char* vfs_of_open_files() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *sqlite3_vfs_find(nullptr);
    copy.zName = "open-files";
    copy.xFullPathname = take_as_is;
    return copy;
  }();
  static const int registered = [] {
    vfs.xSetSystemCall(&vfs, "open", reinterpret_cast<sqlite3_syscall_ptr>(&open_following));
    return sqlite3_vfs_register(&vfs, 0);
  }();
  static_cast<void>(registered);  // if this failed, opening a file with this VFS fails, too
  return vfs.zName;
}

[[noreturn]] void fail(sqlite3* database, int code) {
  throw SqliteError(code, database ? sqlite3_errmsg(database) : sqlite3_errstr(code));
}

void check(sqlite3_stmt* statement, int code) {
  if (code != SQLITE_OK) fail(sqlite3_db_handle(statement), code);
}

// Returns the path as a URI. Escapes the characters that would end the path or begin an escape.
std::string uri_of(const std::filesystem::path& path, std::string_view query) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    switch (c) {
      case '%':
        uri += "%25";
        break;
      case '?':
        uri += "%3f";
        break;
      case '#':
        uri += "%23";
        break;
      default:
        uri += c;
    }
  }
  return uri.append(query);
}

int flags_of(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::read_only:
      return SQLITE_OPEN_READONLY;
    case Database::Mode::read_write:
      return SQLITE_OPEN_READWRITE;
    case Database::Mode::create:
      break;
  }
  return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
}

}  // namespace

SqliteError::SqliteError(int code, const std::string& message)
    : std::runtime_error(message), code_(code) {}

bool is_too_big(const SqliteError& error) { return (error.code() & 0xFF) == SQLITE_TOOBIG; }

Statement::Statement(Database& database, std::string_view sql) {
  const int code = sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
  if (code != SQLITE_OK) fail(database.handle(), code);
}

Statement Statement::single(Database& database, std::string_view sql) {
  const char* rest = nullptr;
  sqlite3_stmt* first = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      &first, &rest);
  // `has_result` is false for VACUUM, for example. VACUUM must be refused here, because SQLite does
  // not call the authorizer for it.
  const bool has_result = first && sqlite3_column_count(first) > 0;
  sqlite3_finalize(first);
  if (code != SQLITE_OK) fail(database.handle(), code);
  if (!has_result) throw SqliteError(SQLITE_MISUSE, "there is no statement that has a result");
  sqlite3_stmt* second = nullptr;
  const auto left = static_cast<int>(sql.data() + sql.size() - rest);
  const bool is_single =
      sqlite3_prepare_v2(database.handle(), rest, left, &second, nullptr) == SQLITE_OK && !second;
  sqlite3_finalize(second);
  if (!is_single) throw SqliteError(SQLITE_MISUSE, "there is more than one statement");
  return Statement(database, sql);
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement::Statement(Statement&& other) noexcept
    : statement_(std::exchange(other.statement_, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(statement_, other.statement_);
  return *this;
}

void Statement::bind(int index, std::int64_t value) {
  check(statement_, sqlite3_bind_int64(statement_, index, value));
}

void Statement::bind(int index, double value) {
  check(statement_, sqlite3_bind_double(statement_, index, value));
}

void Statement::bind(int index, std::string_view value) {
  // A null data pointer would bind NULL instead of an empty text.
  const char* data = value.data() ? value.data() : "";
  check(statement_,
        sqlite3_bind_text64(statement_, index, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind_null(int index) { check(statement_, sqlite3_bind_null(statement_, index)); }

void Statement::bind_copy(int index, const Statement& from, int column) {
  check(statement_,
        sqlite3_bind_value(statement_, index, sqlite3_column_value(from.statement_, column)));
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3* database = sqlite3_db_handle(statement_);
  const SqliteError error(sqlite3_extended_errcode(database), sqlite3_errmsg(database));
  sqlite3_reset(statement_);
  throw error;
}

void Statement::reset() { sqlite3_reset(statement_); }

void Statement::execute() {
  step();
  reset();
}

std::vector<std::string> Statement::column_names() const {
  std::vector<std::string> names;
  for (int column = 0; column < sqlite3_column_count(statement_); ++column) {
    names.emplace_back(sqlite3_column_name(statement_, column));
  }
  return names;
}

ValueType Statement::type(int column) const {
  switch (sqlite3_column_type(statement_, column)) {
    case SQLITE_INTEGER:
      return ValueType::integer;
    case SQLITE_FLOAT:
      return ValueType::real;
    case SQLITE_TEXT:
      return ValueType::text;
    case SQLITE_BLOB:
      return ValueType::blob;
    default:
      return ValueType::null;
  }
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::optional<std::int64_t> Statement::integer(int column) const {
  // One sqlite3_value gives type and value in half the time of two separate calls. SQLite allows
  // this only if one thread at a time uses the connection, which is also a rule of Database.
  sqlite3_value* value = sqlite3_column_value(statement_, column);
  if (sqlite3_value_type(value) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_value_int64(value);
}

std::int64_t Statement::int64(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string_view Statement::text(int column) const {
  const auto* text = sqlite3_column_text(statement_, column);
  if (!text) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void start_sqlite() {
  // Turns off SQLite's memory statistics, which are never read. If they were on, every thread would
  // take a lock at each allocation.
  static const int started = [] {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return sqlite3_initialize();
  }();
  static_cast<void>(started);  // if this failed, opening a database fails
}

Database::Database(const std::string& name, int flags, const char* vfs) {
  start_sqlite();
  const int code = sqlite3_open_v2(name.c_str(), &database_, flags | SQLITE_OPEN_NOMUTEX, vfs);
  if (code != SQLITE_OK) {
    const SqliteError error(code, database_ ? sqlite3_errmsg(database_) : sqlite3_errstr(code));
    sqlite3_close(database_);
    throw error;
  }
  sqlite3_extended_result_codes(database_, 1);
  // A file may come from an untrusted source. So its schema must not run code, and no statement may
  // damage the file.
  sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // By default, SQLite merges the -wal file into the database when the last connection is closed. A
  // read-only connection must not change these files.
  if ((flags & SQLITE_OPEN_READONLY) != 0) {
    sqlite3_db_config(database_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }
}

Database::Database(const std::filesystem::path& path, Mode mode)
    : Database(path.string(), flags_of(mode)) {}

Database Database::in_memory() {
  return Database(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Database Database::unnamed() { return Database("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE); }

Database Database::immutable(const std::filesystem::path& path) {
  return Database(uri_of(path, "?mode=ro&immutable=1"), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

Database Database::unlocked(const std::filesystem::path& path) {
  Database database(uri_of(path, "?mode=ro&vfs=unix-none"), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  // With this mode, SQLite keeps the index of the -wal file in memory, not in a -shm file.
  database.execute("PRAGMA locking_mode = EXCLUSIVE");
  return database;
}

Database Database::nameless(const std::filesystem::path& path) {
  start_sqlite();
  Database database(path.string(), SQLITE_OPEN_READWRITE, vfs_of_open_files());
  database.execute("PRAGMA journal_mode = MEMORY");
  return database;
}

Database::~Database() {
  kind_of_table_.reset();
  sqlite3_close_v2(database_);
}

Database::Database(Database&& other) noexcept
    : impossible_(std::move(other.impossible_)),
      kind_of_table_(std::exchange(other.kind_of_table_, std::nullopt)),
      database_(std::exchange(other.database_, nullptr)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(impossible_, other.impossible_);
  std::swap(kind_of_table_, other.kind_of_table_);
  std::swap(database_, other.database_);
  return *this;
}

std::string Database::serialized() {
  sqlite3_int64 size = 0;
  unsigned char* const bytes = sqlite3_serialize(database_, "main", &size, 0);
  if (!bytes) throw SqliteError(SQLITE_NOMEM, "the database does not fit into memory");
  std::string copy(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  return copy;
}

void Database::note_impossible(const Impossible& one) {
  for (Impossible& known : impossible_) {
    if (known.table != one.table || known.column != one.column) continue;
    known.rows += one.rows;
    return;
  }
  impossible_.push_back(one);
}

std::int64_t Database::last_rowid() const { return sqlite3_last_insert_rowid(database_); }

void Database::set_busy_timeout(int milliseconds) { sqlite3_busy_timeout(database_, milliseconds); }

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(database_, code);
}

void Database::limit_rows(int bytes) {
  constexpr std::pair<int, int> limits[] = {
      {SQLITE_LIMIT_SQL_LENGTH, 100'000},       {SQLITE_LIMIT_EXPR_DEPTH, 50},
      {SQLITE_LIMIT_COMPOUND_SELECT, 10},       {SQLITE_LIMIT_VDBE_OP, 100'000},
      {SQLITE_LIMIT_FUNCTION_ARG, 8},           {SQLITE_LIMIT_ATTACHED, 0},
      {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000}, {SQLITE_LIMIT_VARIABLE_NUMBER, 16},
      {SQLITE_LIMIT_TRIGGER_DEPTH, 1},          {SQLITE_LIMIT_WORKER_THREADS, 0}};
  for (const auto& [limit, value] : limits) sqlite3_limit(database_, limit, value);
  sqlite3_limit(database_, SQLITE_LIMIT_LENGTH, bytes);
  // Statements may only read, and pages are checked for corruption.
  execute("PRAGMA query_only = ON; PRAGMA cell_size_check = ON");
}

void Database::allow_only_select() {
  const auto allow = [](void*, int action, const char*, const char*, const char*, const char*) {
    switch (action) {
      case SQLITE_SELECT:
      case SQLITE_READ:
      case SQLITE_FUNCTION:
      case SQLITE_RECURSIVE:
        return SQLITE_OK;
      default:
        return SQLITE_DENY;
    }
  };
  sqlite3_set_authorizer(database_, allow, nullptr);
}

bool Database::has_table(std::string_view table) {
  if (!kind_of_table_) {
    kind_of_table_.emplace(
        *this,
        "SELECT type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' FROM sqlite_master "
        "WHERE type IN ('table', 'view') AND name = ?1");
  }
  Statement& kind = *kind_of_table_;
  kind.bind(1, table);
  const bool is_there = kind.step();
  const bool is_table = is_there && kind.int64(0) != 0;
  kind.reset();
  if (is_there && !is_table) {
    throw SqliteError(SQLITE_AUTH, "'" + std::string(table) +
                                       "' is not a table but a view or a virtual table, which may "
                                       "compute what it likes");
  }
  return is_table;
}

bool Database::has_column(std::string_view table, std::string_view column) {
  const int code = sqlite3_table_column_metadata(database_, nullptr, std::string(table).c_str(),
                                                 std::string(column).c_str(), nullptr, nullptr,
                                                 nullptr, nullptr, nullptr);
  // If the table or column does not exist, SQLite returns the general code SQLITE_ERROR.
  if (code != SQLITE_OK && code != SQLITE_ERROR) {
    throw SqliteError(code, sqlite3_errmsg(database_));
  }
  return code == SQLITE_OK;
}

std::optional<std::int64_t> Database::query_int64(std::string_view sql) {
  Statement statement(*this, sql);
  if (!statement.step() || statement.is_null(0)) return std::nullopt;
  return statement.int64(0);
}

std::optional<std::string> Database::query_text(std::string_view sql) {
  Statement statement(*this, sql);
  if (!statement.step() || statement.is_null(0)) return std::nullopt;
  return std::string(statement.text(0));
}

}  // namespace lapscope::schema

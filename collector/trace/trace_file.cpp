#include "collector/trace/trace_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "collector/schema/capture_facts.h"
#include "collector/schema/enumeration.h"
#include "collector/schema/sqlite.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"
#include "collector/trace/output_name.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::trace {
namespace {

namespace fs = std::filesystem;
using schema::Database;

// Returns the bytes of an empty trace, with the application id and format version. It is already in
// WAL mode, so that the writer need not change the file for that.
std::string empty_trace() {
  Database database = Database::in_memory();
  database.execute("PRAGMA page_size = " + std::to_string(page_while_written) +
                   "; PRAGMA application_id = " + std::to_string(schema::application_id) +
                   "; PRAGMA user_version = " + std::to_string(schema::format_version));
  std::string bytes = database.serialized();
  constexpr std::size_t write_version =
      18;  // https://www.sqlite.org/fileformat.html#the_database_header
  constexpr std::size_t read_version = 19;
  constexpr char wal = 2;
  if (bytes.size() > read_version) bytes[write_version] = bytes[read_version] = wal;
  return bytes;
}

// Creates an empty trace without a name, then links it to `path`. So a file at `path` is always a
// valid database, even if the process is killed. Returns false if `path` exists. Returns nothing
// after another failure, for example on a file system without unnamed files.
std::optional<bool> create_at_once(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_CLOEXEC | O_WRONLY, 0666);
  if (descriptor < 0) return std::nullopt;
  const std::string bytes = empty_trace();
  const bool is_written =
      ::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  const std::string unnamed = "/proc/self/fd/" + std::to_string(descriptor);
  const bool is_named = is_written && ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path.c_str(),
                                               AT_SYMLINK_FOLLOW) == 0;
  const bool is_taken = is_written && !is_named && errno == EEXIST;
  ::close(descriptor);
  if (!is_named && !is_taken) return std::nullopt;
  return is_named;
}

bool create_new(const fs::path& path) {
  if (const auto created = create_at_once(path)) return *created;
  const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_CLOEXEC | O_WRONLY, 0666);
  if (descriptor < 0) {
    if (errno == EEXIST) return false;
    throw std::system_error(errno, std::generic_category(), path.string());
  }
  ::close(descriptor);
  return true;
}

// Returns the number of ops as counted by the collector. Counting rows would read the whole trace.
std::int64_t recorded_ops(Database& database) {
  if (!database.has_table(schema::describe<schema::RecordsRow>.name)) return 0;
  return database
      .query_int64(
          "SELECT sum(received) FROM LAPSCOPE_RECORDS"
          " WHERE name IN ('CONCURRENT_KERNEL', 'MEMCPY', 'MEMCPY2', 'MEMSET')")
      .value_or(0);
}

// Moves the contents of the -wal file into the trace, and switches to SQLite's default journal
// mode. The trace is then one file. Returns false if another process still writes the trace.
bool fold(Database& database) {
  try {
    database.execute("PRAGMA journal_mode = DELETE");
    return true;
  } catch (const schema::SqliteError& error) {
    constexpr int primary_code = 0xFF;
    if ((error.code() & primary_code) == SQLITE_BUSY) return false;
    throw;
  }
}

std::optional<std::string> fact(Database& database, std::string_view name) {
  schema::Statement statement(database, "SELECT value FROM LAPSCOPE_CAPTURE WHERE name = ?1");
  statement.bind(1, name);
  if (!statement.step() || statement.is_null(0)) return std::nullopt;
  return std::string(statement.text(0));
}

template <class Row>
void add_rows(const fs::path& path, std::span<const Row> rows) {
  Database database(path, Database::Mode::read_write);
  database.execute("PRAGMA synchronous = OFF; BEGIN");
  schema::insert_rows(database, rows);
  database.execute("COMMIT");
}

// Rewrites a short trace with small pages. Large pages make writing fast, but the many small tables
// of a short trace leave large pages mostly empty. If the rewriting fails, the trace is not
// changed.
void compact(Database& database) {
  constexpr std::int64_t small_page = 4096;
  constexpr std::int64_t most_bytes = std::int64_t{4} << 20;
  try {
    const auto page = database.query_int64("PRAGMA page_size").value_or(0);
    const auto pages = database.query_int64("PRAGMA page_count").value_or(0);
    if (page <= small_page || page * pages > most_bytes) return;
    database.execute("PRAGMA temp_store = MEMORY; PRAGMA page_size = " +
                     std::to_string(small_page) + "; VACUUM");
  } catch (const schema::SqliteError&) {
    return;
  }
}

// Returns t.4711.sqlite for t.sqlite; from the second attempt on, t.4711-2.sqlite and so on.
fs::path name_with_pid(const fs::path& wanted, std::uint32_t pid, int attempt) {
  std::string pid_text = std::to_string(pid);
  if (attempt > 1) pid_text += "-" + std::to_string(attempt);
  return wanted.parent_path() /
         (wanted.stem().string() + "." + pid_text + wanted.extension().string());
}

// Returns whether the file begins like an SQLite database. A file of another kind may have replaced
// a trace. SQLite must not open such a file: if the trace's -wal file is still there, SQLite would
// write pages of the trace over the other file.
bool begins_as_database(const fs::path& path) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  std::string begin(magic.size(), ' ');
  std::ifstream(path, std::ios::binary)
      .read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == magic;
}

// Returns whether `candidate` is `wanted` or a name that name_with_pid() makes from `wanted`. For
// t.sqlite, name_with_pid() makes t.4711.sqlite, but not t.old.sqlite.
bool is_named_after(const fs::path& candidate, const fs::path& wanted) {
  const std::string name = candidate.filename();
  if (is_open(wanted)) {
    // The values of the placeholders are unknown, but the beginning and the end of the name are
    // known.
    const std::string pattern = wanted.filename();
    return name.starts_with(plain(pattern.substr(0, pattern.find('%'))).string()) &&
           name.ends_with(wanted.extension().string());
  }
  if (name == plain(wanted).filename()) return true;
  const std::string begin = plain(wanted).stem().string() + ".";
  const std::string end = wanted.extension();
  if (name.size() <= begin.size() + end.size()) return false;
  if (!name.starts_with(begin) || !name.ends_with(end)) return false;
  const std::string pid = name.substr(begin.size(), name.size() - begin.size() - end.size());
  return pid.find_first_not_of("0123456789-") == std::string::npos;
}

// Returns the files that is_named_after() accepts. If the folder may be written but not listed,
// returns only the file with the wanted name.
std::vector<fs::path> files_named_after(const fs::path& wanted) {
  std::vector<fs::path> files;
  std::error_code refused;
  const fs::path folder = fs::absolute(wanted).parent_path();
  for (const auto& entry : fs::directory_iterator(folder, refused)) {
    if (is_named_after(entry.path(), wanted)) files.push_back(entry.path());
  }
  if (refused && !is_open(wanted)) files.push_back(folder / plain(wanted).filename());
  return files;
}

}  // namespace

fs::path claim_output(const fs::path& wanted, std::uint32_t pid) {
  if (create_new(wanted)) return wanted;
  // The name with the process id may be taken, too: by this process before an exec, or by an older
  // process with the same id, as is common in containers. So the next names have a number.
  for (int attempt = 1;; ++attempt) {
    const fs::path own = name_with_pid(wanted, pid, attempt);
    if (create_new(own)) return own;
  }
}

std::optional<FileIdentity> identity_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return FileIdentity{status.st_dev, status.st_ino};
  if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
  throw std::system_error(errno, std::generic_category(), path.string());
}

Place::Place(fs::path path)
    : path_(std::move(path)),
      trace_(identity_of(path_)),
      wal_(identity_of(path_.string() + "-wal")) {}

bool Place::was_taken() const noexcept {
  try {
    return identity_of(path_) != trace_;
  } catch (const std::system_error&) {
    return false;
  }
}

void Place::remove_leftovers() const noexcept {
  try {
    if (!wal_ || identity_of(path_.string() + "-wal") != wal_) return;
    fs::remove(path_.string() + "-wal");
    fs::remove(path_.string() + "-shm");
  } catch (const std::exception&) {
    return;
  }
}

void remove_files(const fs::path& path) noexcept {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    ::unlink((path.string() + suffix).c_str());
  }
}

bool is_trace(const fs::path& path) {
  try {
    Database database(path, Database::Mode::read_only);
    return database.query_int64("PRAGMA application_id") == schema::application_id;
  } catch (const schema::SqliteError&) {
    return false;
  }
}

Content seal(const fs::path& path, const Ending& ending, const WriteFailure* failure) {
  Content content;
  content.path = path;
  Database database(path, Database::Mode::read_write);
  database.set_busy_timeout(1000);
  // Does not wait for the disk. The collector has not waited for the disk either, so most of the
  // trace may still be in memory. To write some gigabytes to the disk would take a second or more.
  database.execute("PRAGMA synchronous = OFF");
  content.still_written = !fold(database);
  const std::string state = fact(database, schema::fact::recording).value_or("");
  content.complete = state == schema::recording_state::complete;
  if (!content.still_written) {
    database.execute("BEGIN");
    if (state == schema::recording_state::running && failure) {
      set_fact(database, schema::fact::recording, schema::recording_state::failed);
      const schema::LossRow loss{"write-error", failure->lost, failure->why};
      schema::insert_rows(database, std::span(&loss, 1));
    } else if (state == schema::recording_state::running) {
      set_fact(database, schema::fact::recording, schema::recording_state::cut_off);
    }
    set_fact(database, schema::fact::exit_status, std::to_string(ending.exit_status));
    set_fact(database, schema::fact::elapsed_ns, std::to_string(ending.elapsed_ns));
    database.execute("COMMIT");
    // In a folder that has become read-only, SQLite keeps using the -wal file. VACUUM would then
    // change the page size of the database, but not of the -wal file.
    if (!fs::exists(path.string() + "-wal")) compact(database);
  }
  content.ops = recorded_ops(database);
  if (database.has_table(schema::describe<schema::LossRow>.name)) {
    content.losses = database.query_int64("SELECT sum(count) FROM LAPSCOPE_LOSSES").value_or(0);
    content.write_error =
        database.query_text("SELECT detail FROM LAPSCOPE_LOSSES WHERE code = 'write-error'");
  }
  content.problem = fact(database, schema::fact::problem);
  content.pid = fact(database, schema::fact::pid).value_or("");
  content.rank = fact(database, schema::fact::rank).value_or("");
  return content;
}

void add_runs(const fs::path& path, std::span<const schema::RunRow> runs) { add_rows(path, runs); }

void add_call_costs(const fs::path& path, std::span<const schema::CallCostRow> costs) {
  add_rows(path, costs);
}

void add_not_calibrated(const fs::path& path, const std::string& why) {
  Database database(path, Database::Mode::read_write);
  set_fact(database, schema::fact::not_calibrated, why);
}

Setting setting_of(const fs::path& path) {
  Database database(path, Database::Mode::read_only);
  Setting setting;
  setting.host = fact(database, schema::fact::host).value_or("");
  setting.driver = fact(database, schema::fact::driver_version).value_or("");
  setting.cupti = fact(database, schema::fact::cupti_version).value_or("");
  if (database.has_table(schema::describe<schema::GpuRow>.name)) {
    setting.gpu =
        database.query_text("SELECT name FROM TARGET_INFO_GPU ORDER BY id LIMIT 1").value_or("");
  }
  return setting;
}

std::vector<schema::RunRow> range_times(const fs::path& path) {
  std::vector<schema::RunRow> times;
  Database database(path, Database::Mode::read_only);
  if (!database.has_table(schema::describe<schema::NvtxRow>.name)) return times;
  schema::Statement rows(
      database,
      "SELECT value, count(*), sum(max(0, end - max(start, ifnull(open_until, start)))) FROM"
      " (SELECT s.value, e.start, e.end, max(e.end) OVER (PARTITION BY s.value ORDER BY e.start"
      " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS open_until"
      " FROM NVTX_EVENTS e JOIN StringIds s ON s.id = e.textId"
      " WHERE e.end >= e.start AND e.start >= 0 AND e.eventType <> ?1)"
      " GROUP BY value");
  rows.bind(1, schema::codes::nvtx_mark);
  while (rows.step()) {
    schema::RunRow row;
    row.range = std::string(rows.text(0));
    row.count = rows.integer(1).value_or(0);
    row.ns = rows.integer(2).value_or(0);
    times.push_back(std::move(row));
  }
  return times;
}

bool is_being_written(const fs::path& path) {
  try {
    Database database(path, Database::Mode::read_write);
    // Before the first commit of its writer, a trace has no tables.
    const bool has_begun = database.has_table(schema::describe<schema::CaptureRow>.name);
    const bool may_be_written =
        !has_begun || fact(database, schema::fact::recording) == schema::recording_state::running;
    return may_be_written && !fold(database);
  } catch (const schema::SqliteError&) {
    return false;
  }
}

std::vector<fs::path> traces_of_session(const fs::path& wanted, std::string_view session) {
  std::vector<fs::path> found;
  for (const fs::path& path : files_named_after(wanted)) {
    if (!begins_as_database(path)) continue;
    try {
      Database database(path, Database::Mode::read_only);
      if (database.query_int64("PRAGMA application_id") == schema::application_id &&
          fact(database, schema::fact::session) == session) {
        found.push_back(path);
      }
    } catch (const schema::SqliteError&) {
      continue;  // skips another program's file, or one that is being written
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace lapscope::trace

#include <sys/stat.h>

#include "analyzer/model/limits.h"
#include "readers/read_trace.h"
#include "readers/trace_format.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;
using test::kernel;
using test::read_written;
using test::TemporaryFolder;
using test::write_file;
using test::write_trace;
using trace::TraceWriter;

// Returns the message with which read_trace() refuses a file. Fails if it accepts the file.
std::string refusal_of(const fs::path& path) {
  try {
    read_trace(path);
  } catch (const UnreadableTrace& error) {
    // The message must be one line of one or two sentences, and must name the file.
    const std::string said = error.what();
    REQUIRE(said.find(path.string()) != std::string::npos);
    REQUIRE(said.find('\n') == std::string::npos);
    REQUIRE(said.back() == '.');
    return said;
  }
  FAIL("the file was read");
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a path that does not exist is refused") {
  const TemporaryFolder folder;
  REQUIRE(contains(refusal_of(folder / "none.sqlite"), "does not exist"));
  REQUIRE(contains(refusal_of(folder / "none" / "t.sqlite"), "does not exist"));
  REQUIRE(test::names_in(folder.path()).empty());
}

TEST_CASE("a folder is refused") {
  const TemporaryFolder folder;
  REQUIRE(contains(refusal_of(folder.path()), "is a folder"));
}

TEST_CASE("pipes, devices and what the kernel makes when it is read are refused, not read") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const fs::path& path : {folder / "pipe", fs::path("/dev/zero")}) {
    REQUIRE(contains(refusal_of(path), "is not a regular file"));
  }
  // These are regular files to Linux. Reading /proc/kmsg waits for the next kernel message.
  for (const char* path : {"/proc/kmsg", "/proc/version"}) {
    INFO(path);
    if (!fs::exists(path)) continue;
    CHECK_FALSE(refusal_of(path).empty());
    CHECK(format_of_source(path) == nullptr);
  }
}

TEST_CASE("a file that is not SQLite is refused") {
  const TemporaryFolder folder;
  write_file(folder / "text", "This is not a database, but long enough to be the head of one.\n" +
                                  std::string(200, '.'));
  write_file(folder / "empty", "");
  write_file(folder / "short", "SQLite");
  for (const char* name : {"text", "empty", "short"}) {
    REQUIRE(contains(refusal_of(folder / name), "is not an SQLite database"));
  }
}

TEST_CASE("SQLite that is not a trace is refused") {
  const TemporaryFolder folder;
  schema::Database(folder / "other", schema::Database::Mode::create)
      .execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  REQUIRE(contains(refusal_of(folder / "other"), "neither a lapscope trace nor"));
}

TEST_CASE("half a transaction is not read as the truth") {
  const TemporaryFolder folder;
  const std::string path = folder / "t.sqlite";
  write_trace(path, [](TraceWriter& trace) { trace.insert(kernel(0, 10)); });
  {
    schema::Database database(path, schema::Database::Mode::read_write);
    database.execute(
        "PRAGMA journal_mode = PERSIST; PRAGMA cache_spill = 1; PRAGMA cache_size = 1");
    database.execute("CREATE TABLE filler (a); BEGIN");
    database.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) "
        "INSERT INTO filler SELECT randomblob(1000) FROM n");
    fs::create_directory(folder / "copy");
    fs::copy_file(path, folder / "copy/t.sqlite");
    fs::copy_file(path + "-journal", folder / "copy/t.sqlite-journal");
    database.execute("ROLLBACK");
  }
  const std::string said = refusal_of(folder / "copy/t.sqlite");
  CHECK(contains(said, "has an unfinished change"));
  CHECK(contains(said, "PRAGMA integrity_check"));
  // After a finished transaction, a journal may remain.
  REQUIRE(fs::exists(path + "-journal"));
  CHECK(read_trace(path).devices.size() == 1);
}

TEST_CASE("a view in place of a table is not read") {
  const TemporaryFolder folder;
  const std::string path = folder / "t.sqlite";
  write_trace(path, [](TraceWriter& trace) { trace.insert(kernel(0, 10)); });
  schema::Database(path, schema::Database::Mode::read_write)
      .execute(
          "DROP TABLE IF EXISTS CUPTI_ACTIVITY_KIND_MEMSET; "
          "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMSET AS "
          "WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start + 1 FROM n) "
          "SELECT start, start AS end FROM n");
  CHECK(contains(refusal_of(path), "'CUPTI_ACTIVITY_KIND_MEMSET' is not a table but a view"));
}

TEST_CASE("a newer format version is refused by its number") {
  const TemporaryFolder folder;
  write_trace(folder / "t", [](TraceWriter& trace) {
    trace.insert(kernel(0, 1));
    trace.commit();
    trace.database().execute("PRAGMA user_version = 99");
  });
  REQUIRE(contains(refusal_of(folder / "t"), "format version 99"));
}

TEST_CASE("a file cut short anywhere is refused") {
  const TemporaryFolder folder;
  write_trace(folder / "whole", [](TraceWriter& trace) {
    for (std::int64_t i = 0; i < 2000; ++i) trace.insert(kernel(i, i + 1));
  });
  const auto size = fs::file_size(folder / "whole");
  for (std::uintmax_t length = 100; length < size; length += size / 37) {
    INFO(length << " of " << size << " bytes");
    fs::copy_file(folder / "whole", folder / "cut", fs::copy_options::overwrite_existing);
    fs::resize_file(folder / "cut", length);
    REQUIRE(contains(refusal_of(folder / "cut"), "cut short"));
  }
}

TEST_CASE("a file overwritten in the middle is refused or read, never a crash") {
  const TemporaryFolder folder;
  write_trace(folder / "whole", [](TraceWriter& trace) {
    for (std::int64_t i = 0; i < 500; ++i) trace.insert(kernel(i, i + 1));
  });
  const std::string whole = test::read_file(folder / "whole");
  int refused = 0;
  for (std::size_t at = 100; at + 300 < whole.size(); at += 997) {
    std::string damaged = whole;
    damaged.replace(at, 300, 300, '\xA5');
    write_file(folder / "damaged", damaged);
    try {
      read_trace(folder / "damaged");
    } catch (const UnreadableTrace&) {
      ++refused;
    }
  }
  REQUIRE(refused > 0);
}

TEST_CASE("impossible times are left out and counted, and the rest is right") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(kernel(10, 30));
    writer.insert(kernel(-1, -1));   // both timestamps lost
    writer.insert(kernel(40, -1));   // never finished
    writer.insert(kernel(60, 50));   // reversed
    writer.insert(kernel(0, most));  // beyond any recording
    writer.insert(kernel(least, most));
    writer.insert(kernel(35, 40));
  });
  REQUIRE(trace.devices[0].ops.start == std::vector<std::int64_t>{10, 35});
  REQUIRE(trace.health.size() == 2);
  REQUIRE(code_of(trace.health[0]) == "invalid-timestamps");
  REQUIRE(trace.health[0].count == 4);
  REQUIRE(severity_of(trace.health[0]) == Severity::error);
  REQUIRE(code_of(trace.health[1]) == "unfinished-ops");
  REQUIRE(trace.health[1].count == 1);
  REQUIRE(severity_of(trace.health[1]) == Severity::warning);
}

TEST_CASE("a table that lacks its times is refused, not read as zeros") {
  const TemporaryFolder folder;
  write_trace(folder / "t", [](TraceWriter& trace) {
    trace.insert(kernel(0, 1));
    trace.commit();
    trace.database().execute("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME COLUMN start TO begin");
  });
  REQUIRE(contains(refusal_of(folder / "t"), "has no column start"));
}

TEST_CASE("texts where times belong are left out and counted") {
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(kernel(10, 30));
    writer.insert(kernel(40, 50));
    writer.commit();
    writer.database().execute(
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon' WHERE start = 40");
  });
  REQUIRE(trace.devices[0].ops.size() == 1);
  REQUIRE(code_of(trace.health.at(0)) == "invalid-timestamps");
}

TEST_CASE("a trace without any table of ops has no devices") {
  const Trace trace = read_written([](TraceWriter&) {});
  REQUIRE(trace.devices.empty());
}

TEST_CASE("ops whose durations do not add up in 64 bits are refused") {
  const TemporaryFolder folder;
  write_trace(folder / "t", [](TraceWriter& trace) {
    for (int i = 0; i < 1024; ++i) trace.insert(kernel(0, latest_time));
  });
  REQUIRE(contains(refusal_of(folder / "t"), "more than 2^63 ns"));
}

TEST_CASE("names, rows, devices and contexts beyond the limits are refused by their number") {
  const TemporaryFolder folder;
  const auto written = [&](const char* name, const std::string& change) {
    write_trace(folder / name, [&](TraceWriter& trace) {
      trace.insert(kernel(0, 1));
      trace.insert(schema::ContextRow{});
      trace.intern("kernel");
      trace.commit();
      trace.database().execute(change);
    });
    return folder / name;
  };
  const std::string long_name = std::to_string(limits::text_bytes + 1);
  CHECK(contains(refusal_of(written(
                     "name", "UPDATE StringIds SET value = printf('%." + long_name + "c', 'x')")),
                 "more than " + std::to_string(limits::text_bytes)));
  CHECK(contains(refusal_of(written("row", "UPDATE StringIds SET value = zeroblob(" +
                                               std::to_string(limits::row_bytes + 1) + ")")),
                 "more than " + std::to_string(limits::row_bytes)));
  const std::string more =
      "CREATE TABLE more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT "
      "300) SELECT k.*, i FROM CUPTI_ACTIVITY_KIND_KERNEL k, n; UPDATE more SET deviceId = i; "
      "ALTER TABLE more DROP COLUMN i; DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; "
      "ALTER TABLE more RENAME TO CUPTI_ACTIVITY_KIND_KERNEL";
  CHECK(contains(refusal_of(written("devices", more)),
                 "on more than " + std::to_string(limits::devices) + " devices"));
  const std::string contexts =
      "INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
      "i + 1 FROM n LIMIT " +
      std::to_string(limits::contexts) + ") SELECT c.* FROM TARGET_INFO_CUDA_CONTEXT_INFO AS c, n";
  CHECK(contains(refusal_of(written("contexts", contexts)),
                 "more than " + std::to_string(limits::contexts) + " CUDA contexts"));
}

TEST_CASE("pages that are not as SQLite wrote them are found") {
  const TemporaryFolder folder;
  write_trace(folder / "whole", [](TraceWriter& trace) {
    for (std::int64_t i = 0; i < 500; ++i) trace.insert(kernel(i, i + 1));
  });
  CHECK_FALSE(damaged_pages(folder / "whole").has_value());
  std::string damaged = test::read_file(folder / "whole");
  // Swaps two cells of a page, so that row ids are out of order.
  const std::size_t page = 4096 * (damaged.size() / 4096 - 1);
  std::swap(damaged[page + 8], damaged[page + 10]);
  std::swap(damaged[page + 9], damaged[page + 11]);
  write_file(folder / "damaged", damaged);
  const auto row = damaged_pages(folder / "damaged");
  REQUIRE(row.has_value());
  CHECK(severity_of(*row) == Severity::error);
  CHECK(row->count > 0);
}

}  // namespace
}  // namespace lapscope::analyzer

#include "readers/write_log.h"

#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "analyzer/model/health.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"

// Traces in WAL mode, which a running or killed program leaves.
namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;
using schema::Database;
using test::Containing;
using test::TemporaryFolder;

const HealthRow* row_of(const std::vector<HealthRow>& health) {
  const auto found = std::find_if(health.begin(), health.end(), [](const HealthRow& row) {
    return row.kind == HealthKind::unread_log;
  });
  return found == health.end() ? nullptr : &*found;
}

std::size_t ops_of(const Trace& trace) {
  std::size_t ops = 0;
  for (const Device& device : trace.devices) ops += device.ops.size();
  return ops;
}

// Writes kernels, each in its own transaction, and copies the files while the writer has them open.
// Returns the copy. With `left_over`, the writer has written a longer log before, and overwrites
// the begin of this log. So old frames follow the new frames.
fs::path killed_trace(const TemporaryFolder& folder, int kernels, bool left_over = false) {
  fs::create_directory(folder / "writer");
  const fs::path written = folder / "writer" / "t.sqlite";
  trace::TraceWriter writer(written);
  writer.insert(test::kernel(0, 10));
  writer.commit();
  writer.database().execute("PRAGMA wal_checkpoint(TRUNCATE)");
  if (left_over) {
    for (int i = 1; i < 50; ++i) writer.insert(test::kernel(20 * i, 20 * i + 10));
    writer.commit();
    writer.database().execute("PRAGMA wal_checkpoint(RESTART)");
  }
  for (int i = 0; i < kernels; ++i) {
    writer.insert(test::kernel(10'000 + 20 * i, 10'000 + 20 * i + 10));
    writer.commit();
  }
  fs::create_directory(folder / "killed");
  for (const char* name : {"t.sqlite", "t.sqlite-wal"}) {
    fs::copy_file(folder / "writer" / name, folder / "killed" / name);
  }
  return folder / "killed" / "t.sqlite";
}

TEST_CASE("a log that was left is read wholly, and nothing is left beside it") {
  const TemporaryFolder folder;
  const fs::path path = killed_trace(folder, 20);
  const std::string log = test::read_file(write_log_of(path));
  CHECK_FALSE(unread_log(path).has_value());
  const Trace trace = read_trace(path);
  CHECK(ops_of(trace) == 21);
  CHECK(row_of(trace.health) == nullptr);
  CHECK_FALSE(damaged_pages(path).has_value());
  CHECK(test::names_in(path.parent_path()) == std::vector<std::string>{"t.sqlite", "t.sqlite-wal"});
  CHECK(test::read_file(write_log_of(path)) == log);
}

TEST_CASE("also where nothing can be written") {
  if (::geteuid() == 0) test::skip_because("root writes everywhere");
  const TemporaryFolder folder;
  const fs::path path = killed_trace(folder, 20);
  fs::permissions(path.parent_path(), fs::perms::owner_read | fs::perms::owner_exec);
  const Trace trace = read_trace(path);
  fs::permissions(path.parent_path(), fs::perms::owner_all);
  CHECK(ops_of(trace) == 21);
}

TEST_CASE("what a log has of an older one is not missing") {
  const TemporaryFolder folder;
  const fs::path path = killed_trace(folder, 2, true);
  CHECK_FALSE(unread_log(path).has_value());
  CHECK(ops_of(read_trace(path)) == 52);
}

TEST_CASE("a log that is cut lacks what was written last, and the trace says so") {
  const TemporaryFolder folder;
  const fs::path path = killed_trace(folder, 20);
  const fs::path log = write_log_of(path);
  const std::string whole = test::read_file(log);
  constexpr std::size_t frame = 24 + trace::page_while_written;
  REQUIRE((whole.size() - 32) % frame == 0);
  // Cuts the log inside a page, inside a frame's header, and inside its own header.
  for (const std::size_t size : {whole.size() - 100, whole.size() - frame + 8, std::size_t{20}}) {
    INFO(size);
    test::write_file(log, whole.substr(0, size));
    const Trace trace = read_trace(path);
    REQUIRE(row_of(trace.health) != nullptr);
    CHECK(severity_of(*row_of(trace.health)) == Severity::error);
    CHECK(row_of(trace.health)->count > 0);
    CHECK(ops_of(trace) < 21);
  }
  // Without its log, this trace has no tables and cannot be read. The message names the log.
  trace::TraceWriter young(folder / "young.sqlite");
  young.commit();
  fs::copy_file(folder / "young.sqlite", folder / "killed" / "y.sqlite");
  test::write_file(folder / "killed" / "y.sqlite-wal", whole.substr(0, 20));
  CHECK_THROWS_WITH(read_trace(folder / "killed" / "y.sqlite"), Containing("cannot be recovered"));
  // An empty log is ignored.
  test::write_file(log, "");
  CHECK(row_of(read_trace(path).health) == nullptr);
}

TEST_CASE("a log of other bytes is not taken, kept, and told of") {
  const TemporaryFolder folder;
  const fs::path path = killed_trace(folder, 20);
  const fs::path log = write_log_of(path);
  const std::string whole = test::read_file(log);
  std::string noise(100'000, '\0');
  std::uint32_t state = 1;
  for (char& c : noise) c = static_cast<char>((state = state * 1'664'525 + 1'013'904'223) >> 24U);
  std::string one_bit = whole;
  one_bit[one_bit.size() / 2] ^= 1;
  for (const std::string& content : {noise, one_bit, whole + noise}) {
    test::write_file(log, content);
    const auto row = unread_log(path);
    REQUIRE(row.has_value());
    CHECK(row->count > 0);
    CHECK(row->count <= static_cast<std::int64_t>(content.size()));
    CHECK(row_of(read_trace(path).health) != nullptr);
    CHECK(test::read_file(log) == content);
    CHECK(test::names_in(path.parent_path()) ==
          std::vector<std::string>{"t.sqlite", "t.sqlite-wal"});
  }
}

TEST_CASE("a transaction that is being written is not missing yet") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  int ready[2];
  int done[2];
  REQUIRE(::pipe(ready) == 0);
  REQUIRE(::pipe(done) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    trace::TraceWriter writer(path);
    writer.insert(test::kernel(0, 10));
    writer.commit();
    // The small cache makes SQLite write rows to the log before the commit.
    writer.database().execute("PRAGMA cache_size = 2");
    for (int i = 1; i < 2000; ++i) writer.insert(test::kernel(20 * i, 20 * i + 10));
    char byte = 1;
    static_cast<void>(::write(ready[1], &byte, 1));
    static_cast<void>(::read(done[0], &byte, 1));
    ::_exit(0);
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK_FALSE(unread_log(path).has_value());
  CHECK(ops_of(read_trace(path)) == 1);
  REQUIRE(::write(done[1], &byte, 1) == 1);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  // The writer is killed during the transaction.
  CHECK(unread_log(path).has_value());
  for (const int end : {ready[0], ready[1], done[0], done[1]}) ::close(end);
}

}  // namespace
}  // namespace lapscope::analyzer

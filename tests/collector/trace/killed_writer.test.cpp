#include <signal.h>
#include <unistd.h>

#include <array>

#include "collector/trace/trace_file.h"
#include "collector/trace/trace_writer.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"
#include "tests/collector/support/rows.h"

namespace lapscope::trace {
namespace {

using schema::Database;

constexpr std::int64_t batch = 100;

// Both ends of a pipe. The destructor closes them.
struct Pipe {
  Pipe() { REQUIRE(::pipe(ends.data()) == 0); }
  ~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  std::array<int, 2> ends{};
};

void write_batch(TraceWriter& trace, std::int64_t number) {
  for (std::int64_t i = 0; i < batch; ++i) {
    auto row = test::filled_row<schema::KernelRow>(false);
    row.correlationId = number * batch + i;
    trace.insert(row);
  }
  const schema::RecordsRow count{10, "CONCURRENT_KERNEL", 0, 216, (number + 1) * batch, 0};
  trace.replace_all<schema::RecordsRow>(std::span(&count, 1));
}

// Writes batches until it is killed. Reports each committed batch to the parent.
int write_until_killed(const std::filesystem::path& path, int report) {
  TraceWriter trace(path);
  trace.set_fact("recording", "running");
  for (std::int64_t number = 0;; ++number) {
    write_batch(trace, number);
    trace.commit();
    if (::write(report, "x", 1) != 1) return 1;
  }
}

TEST_CASE("a killed writer leaves a sound trace with all that it committed", "[trace]") {
  const test::TemporaryFolder folder;
  const auto path = folder / "t.sqlite";
  const Pipe pipe;
  constexpr std::int64_t reported = 50;
  test::Child writer([&] { return write_until_killed(path, pipe.ends[1]); });
  char ignored = 0;
  for (std::int64_t i = 0; i < reported; ++i) REQUIRE(::read(pipe.ends[0], &ignored, 1) == 1);
  writer.signal(SIGKILL);
  REQUIRE(writer.wait().exit_status == 128 + SIGKILL);

  SECTION("to whoever reads it as it is") {
    Database database(path, Database::Mode::read_only);
    CHECK(database.query_text("PRAGMA integrity_check") == "ok");
    const auto rows = test::all_rows<schema::KernelRow>(database);
    CHECK(rows.size() >= reported * batch);
    CHECK(rows.size() % batch == 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].correlationId != static_cast<std::int64_t>(i)) FAIL("row out of place: " << i);
    }
  }
  SECTION("and after sealing in a single file") {
    const Content content = seal(path, {137, 1});
    CHECK(content.ops >= reported * batch);
    CHECK(content.ops % batch == 0);
    CHECK_FALSE(content.complete);
    CHECK(folder.names() == std::vector<std::string>{"t.sqlite"});
    CHECK(Database::immutable(path).query_text("PRAGMA integrity_check") == "ok");
  }
}

TEST_CASE("what was not committed before a kill is not there", "[trace]") {
  const test::TemporaryFolder folder;
  const auto path = folder / "t.sqlite";
  const Pipe pipe;
  test::Child writer([&] {
    TraceWriter trace(path);
    write_batch(trace, 0);
    trace.commit();
    // SQLite's cache is too small for all batches, so some are in the -wal file before the commit.
    for (std::int64_t number = 1; number <= 200; ++number) write_batch(trace, number);
    if (::write(pipe.ends[1], "x", 1) != 1) return 1;
    return ::pause();
  });
  char ignored = 0;
  REQUIRE(::read(pipe.ends[0], &ignored, 1) == 1);
  writer.signal(SIGKILL);
  writer.wait();
  Database database(path, Database::Mode::read_only);
  CHECK(database.query_text("PRAGMA integrity_check") == "ok");
  CHECK(database.query_int64("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL") == batch);
}

}  // namespace
}  // namespace lapscope::trace

#include "collector/trace/trace_file.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <system_error>

#include "collector/schema/capture_facts.h"
#include "collector/trace/trace_writer.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"
#include "tests/collector/support/rows.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::trace {
namespace {

namespace fs = std::filesystem;
namespace fact = schema::fact;
using schema::Database;
using test::TemporaryFolder;

constexpr std::string_view session = "0123456789abcdef";

// Writes a trace as the collector leaves it. After a program was killed, `state` is "running".
void write_trace(const fs::path& path, std::string_view state, std::string_view id = session) {
  TraceWriter trace(path);
  trace.set_fact(fact::session, std::string(id));
  trace.set_fact(fact::recording, std::string(state));
  trace.finish();
}

std::vector<std::string> names_of(const std::vector<fs::path>& paths) {
  std::vector<std::string> names;
  for (const fs::path& path : paths) names.push_back(path.filename().string());
  return names;
}

std::optional<std::string> fact_of(const fs::path& path, std::string_view name) {
  return Database::immutable(path).query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = '" +
                                              std::string(name) + "'");
}

TEST_CASE("the first process of a recording gets the wanted name", "[trace]") {
  const TemporaryFolder folder;
  CHECK(claim_output(folder / "t.sqlite", 4711) == folder / "t.sqlite");
  CHECK(folder.names() == std::vector<std::string>{"t.sqlite"});
}

// A program that is killed before the first row leaves a trace without rows.
TEST_CASE("a claimed output file is a database from the first instant on", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = claim_output(folder / "t.sqlite", 4711);
  CHECK(is_trace(path));
  {
    Database database(path, Database::Mode::read_only);
    CHECK(database.query_text("PRAGMA integrity_check") == "ok");
    CHECK(database.query_text("PRAGMA journal_mode") == "wal");
    CHECK(database.query_int64("SELECT count(*) FROM sqlite_master") == 0);
  }
  const std::string before = test::read_file(path);
  {
    TraceWriter writer(path);
    writer.commit();
    CHECK(test::read_file(path) == before);  // all rows are in the -wal file
    writer.finish();
  }
  CHECK(test::read_file(path) != before);
}

TEST_CASE("a further process gets a name with its id", "[trace]") {
  const TemporaryFolder folder;
  claim_output(folder / "t.sqlite", 4711);
  CHECK(claim_output(folder / "t.sqlite", 4712) == folder / "t.4712.sqlite");
  claim_output(folder / "bare", 4711);
  CHECK(claim_output(folder / "bare", 4712) == folder / "bare.4712");
  claim_output(folder / "run.7", 4711);
  CHECK(claim_output(folder / "run.7", 4712) == folder / "run.4712.7");
}

// Process ids repeat, for example in containers and after exec.
TEST_CASE("an existing file with the same process id in its name is kept", "[trace]") {
  const TemporaryFolder folder;
  test::write_file(folder / "t.sqlite", "first");
  test::write_file(folder / "t.4711.sqlite", "second");
  const fs::path third = claim_output(folder / "t.sqlite", 4711);
  const fs::path fourth = claim_output(folder / "t.sqlite", 4711);
  CHECK(third != fourth);
  CHECK(folder.names().size() == 4);
  CHECK(test::read_file(folder / "t.4711.sqlite") == "second");
  write_trace(third, schema::recording_state::complete);
  write_trace(fourth, schema::recording_state::complete);
  CHECK(traces_of_session(folder / "t.sqlite", session).size() == 2);
}

TEST_CASE("claiming in a folder that does not exist throws", "[trace]") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(claim_output(folder / "none/t.sqlite", 1), std::system_error);
}

TEST_CASE("a file is the same one until another has its name", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  CHECK_FALSE(identity_of(path));
  CHECK_FALSE(identity_of(path / "inside"));
  test::write_file(path, "one");
  const auto first = identity_of(path);
  REQUIRE(first);
  test::write_file(path, "longer");
  CHECK(identity_of(path) == first);
  fs::rename(path, folder / "elsewhere");
  CHECK_FALSE(identity_of(path));
  test::write_file(path, "one");
  CHECK(identity_of(path) != first);
  CHECK(identity_of(folder / "elsewhere") == first);
}

TEST_CASE("a trace is told from other files", "[trace]") {
  const TemporaryFolder folder;
  write_trace(folder / "t.sqlite", schema::recording_state::complete);
  CHECK(is_trace(folder / "t.sqlite"));

  Database(folder / "other.sqlite", Database::Mode::create).execute("CREATE TABLE t (a)");
  test::write_file(folder / "text", std::string(5000, 'x'));
  test::write_file(folder / "empty", "");
  CHECK_FALSE(is_trace(folder / "other.sqlite"));
  CHECK_FALSE(is_trace(folder / "text"));
  CHECK_FALSE(is_trace(folder / "empty"));
  CHECK_FALSE(is_trace(folder / "none"));
  CHECK_FALSE(is_trace(folder.path()));
  CHECK(test::read_file(folder / "text") == std::string(5000, 'x'));
}

TEST_CASE("a trace that is being written is a trace", "[trace]") {
  const TemporaryFolder folder;
  TraceWriter trace(folder / "t.sqlite");
  trace.commit();
  CHECK(is_trace(folder / "t.sqlite"));
}

TEST_CASE("sealing notes the ending and keeps a complete trace complete", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  write_trace(path, schema::recording_state::complete);
  const Content content = seal(path, {3, 1'500'000'000});
  CHECK(content.path == path);
  CHECK(content.complete);
  CHECK(content.ops == 0);
  CHECK(content.losses == 0);
  CHECK_FALSE(content.problem.has_value());
  CHECK(fact_of(path, fact::recording) == "complete");
  CHECK(fact_of(path, fact::exit_status) == "3");
  CHECK(fact_of(path, fact::elapsed_ns) == "1500000000");
  seal(path, {4, 1});
  CHECK(fact_of(path, fact::exit_status) == "4");
}

TEST_CASE("sealing marks a trace that was not closed as cut off", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  write_trace(path, schema::recording_state::running);
  CHECK_FALSE(seal(path, {137, 1}).complete);
  CHECK(fact_of(path, fact::recording) == "cut-off");
}

TEST_CASE("sealing counts operations and losses and quotes the problem", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  {
    TraceWriter trace(path);
    trace.set_fact(fact::problem, "it rained");
    trace.set_fact(fact::recording, "failed");
    trace.insert(schema::RecordsRow{10, "CONCURRENT_KERNEL", 0, 216, 3, 0});
    trace.insert(schema::RecordsRow{1, "MEMCPY", 0, 96, 5, 0});
    trace.insert(schema::RecordsRow{2, "MEMSET", 0, 88, 7, 0});
    trace.insert(schema::RecordsRow{5, "RUNTIME", 0, 40, 100, 0});
    trace.insert(schema::LossRow{"dropped-records", 20, std::nullopt});
    trace.insert(schema::LossRow{"write-error", 22, "no room"});
    trace.finish();
  }
  const Content content = seal(path, {0, 1});
  CHECK(content.ops == 15);
  CHECK(content.losses == 42);
  CHECK(content.problem == "it rained");
  CHECK(content.write_error == "no room");
  // The disk was full, so the collector closed this trace. It is not marked as cut off.
  CHECK(Database::immutable(path).query_text(
            "SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'recording'") == "failed");
}

TEST_CASE("sealing makes a short trace small and keeps what is in it", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  {
    TraceWriter trace(path);
    trace.set_fact(fact::recording, std::string(schema::recording_state::complete));
    trace.insert(schema::RecordsRow{10, "CONCURRENT_KERNEL", 0, 216, 3, 0});
    trace.finish();
  }
  const auto before = fs::file_size(path);
  const auto identity = identity_of(path);
  CHECK(seal(path, {0, 1}).ops == 3);
  CHECK(fs::file_size(path) <= before / 2);
  CHECK(identity_of(path) == identity);
  CHECK(is_trace(path));
  CHECK(folder.names() == std::vector<std::string>{"t.sqlite"});
  Database sealed = Database::immutable(path);
  CHECK(sealed.query_text("PRAGMA integrity_check") == "ok");
  CHECK(sealed.query_int64("PRAGMA user_version") == schema::format_version);
}

// During the lifetime of this object, the test cannot create or remove files in the folder. If the
// test runs as root, it acts as another user for this time.
class ReadOnlyFolder {
 public:
  explicit ReadOnlyFolder(fs::path path) : path_(std::move(path)) {
    constexpr uid_t nobody = 65534;
    if (was_root_) REQUIRE(::chown(path_.c_str(), nobody, nobody) == 0);
    for (const auto& file : fs::directory_iterator(path_)) {
      if (was_root_) REQUIRE(::chown(file.path().c_str(), nobody, nobody) == 0);
    }
    fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_exec);
    if (was_root_) REQUIRE(::seteuid(nobody) == 0);
  }
  ~ReadOnlyFolder() {
    if (was_root_) static_cast<void>(::seteuid(0));
    fs::permissions(path_, fs::perms::owner_all);
  }
  ReadOnlyFolder(const ReadOnlyFolder&) = delete;
  ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;

 private:
  fs::path path_;
  bool was_root_ = ::geteuid() == 0;
};

TEST_CASE("a trace is sealed whole where what lies beside it cannot be removed", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  {
    auto writer = std::make_unique<TraceWriter>(path);
    writer->set_fact(fact::recording, std::string(schema::recording_state::running));
    for (int i = 0; i < 1000; ++i) writer->intern("a name " + std::to_string(i));
    writer->commit();
    const ReadOnlyFolder read_only(folder.path());
    writer.reset();
    CHECK_FALSE(seal(path, {}).still_written);
  }
  CHECK(folder.names().size() > 1);
  Database database(path, Database::Mode::read_write);
  CHECK(database.query_text("PRAGMA integrity_check") == "ok");
  CHECK(database.query_int64("SELECT count(*) FROM StringIds") == 1000);
  CHECK(database.query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'recording'") ==
        schema::recording_state::cut_off);
}

TEST_CASE("a trace that is still being written is left as it is", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  TraceWriter writer(path);
  writer.set_fact(fact::recording, std::string(schema::recording_state::running));
  writer.insert(schema::RecordsRow{10, "CONCURRENT_KERNEL", 0, 216, 3, 0});
  writer.commit();
  CHECK(is_being_written(path));
  const Content content = seal(path, {0, 1});
  CHECK(content.still_written);
  CHECK(content.ops == 3);
  CHECK_FALSE(content.complete);
  writer.set_fact(fact::recording, std::string(schema::recording_state::complete));
  writer.finish();
  CHECK_FALSE(is_being_written(path));
  CHECK(seal(path, {0, 1}).complete);
}

TEST_CASE("a trace is being written even before its first commit", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = claim_output(folder / "t.sqlite", 4711);
  {
    TraceWriter trace(path);
    trace.set_fact(fact::session, std::string(session));
    CHECK(is_being_written(path));
    trace.commit();
    CHECK_FALSE(is_being_written(path));  // no fact says that it is running
    trace.set_fact(fact::recording, std::string(schema::recording_state::running));
    trace.commit();
    CHECK(is_being_written(path));
  }
  CHECK_FALSE(is_being_written(path));
}

//   work, thread 1  |-------|     |---|
//   work, thread 2    |-| |---|
//   other               |-----------|      and a mark
TEST_CASE("while several ranges of a text are open, the time counts once", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  {
    TraceWriter trace(path);
    const auto add = [&](std::string_view text, std::int64_t start, std::optional<std::int64_t> end,
                         std::int64_t type = schema::codes::push_pop_range) {
      schema::NvtxRow row;
      row.start = start;
      row.end = end;
      row.eventType = type;
      row.textId = trace.intern(text);
      trace.insert(row);
    };
    add("work", 30, 34);
    add("work", 10, 18);
    add("work", 12, 14);
    add("work", 16, 20);
    add("work", 35, std::nullopt);
    add("other", 14, 26);
    add("other", 30, 30, schema::codes::nvtx_mark);
    trace.finish();
  }
  const auto times = range_times(path);
  REQUIRE(times.size() == 2);
  CHECK(times[0].range == "other");
  CHECK(times[0].count == 1);
  CHECK(times[0].ns == 12);
  CHECK(times[1].range == "work");
  CHECK(times[1].count == 4);
  CHECK(times[1].ns == 14);
}

TEST_CASE("sealing what is no trace throws", "[trace]") {
  const TemporaryFolder folder;
  test::write_file(folder / "text", std::string(5000, 'x'));
  CHECK_THROWS_AS(seal(folder / "text", {}), schema::SqliteError);
  CHECK_THROWS_AS(seal(folder / "none", {}), schema::SqliteError);
}

TEST_CASE("the traces of a session are those with its id and a fitting name", "[trace]") {
  const TemporaryFolder folder;
  const auto done = schema::recording_state::complete;
  write_trace(folder / "t.sqlite", done);
  write_trace(folder / "t.4712.sqlite", schema::recording_state::running);
  write_trace(folder / "t.4713.sqlite", done, "another session");
  write_trace(folder / "t.old.sqlite", done);
  write_trace(folder / "t2.sqlite", done);
  write_trace(folder / "t.4712.backup", done);
  Database(folder / "t.1.sqlite", Database::Mode::create).execute("CREATE TABLE t (a)");
  test::write_file(folder / "t.2.sqlite", std::string(5000, 'x'));
  fs::create_directory(folder / "t.3.sqlite");

  const auto found = traces_of_session(folder / "t.sqlite", session);
  CHECK(names_of(found) == std::vector<std::string>{"t.4712.sqlite", "t.sqlite"});
  CHECK(traces_of_session(folder / "none/t.sqlite", session).empty());
}

// Gives up root's right to ignore file permissions.
void give_up_root_rights() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3]{};
  ::syscall(SYS_capget, &header, rights);
  rights[0].effective &= ~((1U << CAP_DAC_OVERRIDE) | (1U << CAP_DAC_READ_SEARCH));
  ::syscall(SYS_capset, &header, rights);
}

TEST_CASE("a trace is found in a folder that may be written but not listed", "[trace]") {
  const TemporaryFolder folder;
  const fs::path drop = folder / "drop";
  fs::create_directory(drop);
  write_trace(drop / "t.sqlite", schema::recording_state::complete);
  write_trace(drop / "other.sqlite", schema::recording_state::complete, "another session");
  fs::permissions(drop, fs::perms::owner_write | fs::perms::owner_exec);
  test::Child child([&drop] {
    give_up_root_rights();
    const bool is_found = traces_of_session(drop / "t.sqlite", session).size() == 1;
    const bool is_mistaken = !traces_of_session(drop / "other.sqlite", session).empty();
    return is_found && !is_mistaken ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
  fs::permissions(drop, fs::perms::owner_all);
}

TEST_CASE("what took the place of a trace is not written over by what lies beside it", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  TraceWriter trace(path);
  trace.set_fact(fact::session, std::string(session));
  trace.commit();
  fs::remove(path);
  test::write_file(path, "another");
  CHECK(traces_of_session(path, session).empty());
  CHECK(test::read_file(path) == "another");
}

TEST_CASE("a trace that is renamed while it is written has left its place", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  {
    TraceWriter trace(path);
    trace.set_fact(fact::session, std::string(session));
    trace.commit();
    const Place place(path);
    CHECK_FALSE(place.was_taken());
    fs::rename(path, folder / "elsewhere");
    CHECK(place.was_taken());
    test::write_file(path, "another");
    CHECK(place.was_taken());
    place.remove_leftovers();
  }
  CHECK(folder.names() == std::vector<std::string>{"elsewhere", "t.sqlite"});
  CHECK(test::read_file(path) == "another");
}

TEST_CASE("the files beside another trace of the same name are left alone", "[trace]") {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.sqlite";
  std::optional<TraceWriter> first(path);
  first->commit();
  const Place place(path);
  for (const char* name : {"t.sqlite", "t.sqlite-wal", "t.sqlite-shm"}) fs::remove(folder / name);
  TraceWriter second(path);
  second.commit();
  CHECK(place.was_taken());
  first.reset();
  place.remove_leftovers();
  CHECK(folder.names() == std::vector<std::string>{"t.sqlite", "t.sqlite-shm", "t.sqlite-wal"});
}

TEST_CASE("the traces of a session are found whatever the name's extension", "[trace]") {
  const TemporaryFolder folder;
  for (const char* wanted : {"bare", "run.7", ".hidden"}) {
    INFO(wanted);
    std::vector<fs::path> claimed{claim_output(folder / wanted, 1),
                                  claim_output(folder / wanted, 4712)};
    for (const fs::path& path : claimed) write_trace(path, schema::recording_state::complete);
    CHECK(traces_of_session(folder / wanted, session).size() == 2);
  }
}

}  // namespace
}  // namespace lapscope::trace

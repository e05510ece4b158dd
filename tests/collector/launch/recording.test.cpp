#include "collector/launch/recording.h"

#include <fstream>

#include "collector/schema/capture_facts.h"
#include "collector/trace/trace_writer.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::launch {
namespace {

namespace fs = std::filesystem;
using test::ScopedVariable;
using test::TemporaryFolder;

// A folder with an empty file as the collector's library, which no test loads. The environment
// names no library to inject.
struct Workplace {
  Workplace() { test::write_file(collector_path, ""); }
  RecordOptions options(std::vector<std::string> command = {"/bin/sh", "-c", "exit 3"}) const {
    RecordOptions chosen;
    chosen.output = output;
    chosen.command = std::move(command);
    return chosen;
  }
  TemporaryFolder folder;
  fs::path output = folder / "t.sqlite";
  fs::path collector_path = folder / "collector.so";
  ScopedVariable collector{"LAPSCOPE_COLLECTOR", collector_path.c_str()};
  ScopedVariable cuda{"CUDA_INJECTION64_PATH", nullptr};
  ScopedVariable nvtx{"NVTX_INJECTION64_PATH", nullptr};
};

// Checks that the recording is refused before the program runs, with `word` in the refusal.
void check_refusal(const RecordOptions& options, Refusal::Kind kind, const std::string& word) {
  const Recording recording = record(options);
  REQUIRE(recording.refusal.has_value());
  CHECK(recording.refusal->kind == kind);
  INFO(recording.refusal->sentence);
  CHECK(recording.refusal->sentence.find(word) != std::string::npos);
  CHECK(recording.refusal->sentence.ends_with('.'));
  CHECK(recording.traces.empty());
}

void write_old_trace(const fs::path& path) {
  trace::TraceWriter trace(path);
  trace.set_fact(schema::fact::session, "an earlier one");
  trace.finish();
}

TEST_CASE("a tool that is injected already is not pushed aside", "[launch]") {
  const Workplace place;
  for (const char* variable : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
    const ScopedVariable set(variable, "/opt/other/tool.so");
    check_refusal(place.options(), Refusal::Kind::usage, variable);
    check_refusal(place.options(), Refusal::Kind::usage, "/opt/other/tool.so");
  }
}

TEST_CASE("without the collector library nothing is run", "[launch]") {
  const Workplace place;
  fs::remove(place.collector_path);
  check_refusal(place.options({"/bin/sh", "-c", "touch " + (place.folder / "ran").string()}),
                Refusal::Kind::io, "LAPSCOPE_COLLECTOR");
  CHECK(place.folder.names().empty());
}

TEST_CASE("an output in a folder that does not exist is refused", "[launch]") {
  const Workplace place;
  RecordOptions options = place.options();
  options.output = place.folder / "none/t.sqlite";
  check_refusal(options, Refusal::Kind::io, "none/t.sqlite");
}

// Not even root can make a file in this folder.
TEST_CASE("an output in a folder that cannot be written is refused and nothing is run",
          "[launch]") {
  const Workplace place;
  RecordOptions options =
      place.options({"/bin/sh", "-c", "touch " + (place.folder / "ran").string()});
  options.output = "/proc/self/t.sqlite";
  check_refusal(options, Refusal::Kind::io, "/proc/self/t.sqlite");
  CHECK_FALSE(fs::exists(place.folder / "ran"));
}

TEST_CASE("an output that is a folder is refused", "[launch]") {
  const Workplace place;
  fs::create_directory(place.output);
  check_refusal(place.options(), Refusal::Kind::io, "folder");
  CHECK(fs::is_directory(place.output));
}

TEST_CASE("placeholders are handed on, those that are known filled in", "[launch]") {
  const Workplace place;
  const ScopedVariable rank("RANK", "5");
  RecordOptions options = place.options(
      {"/bin/sh", "-c", "echo \"$LAPSCOPE_OUTPUT\" > " + (place.folder / "seen").string()});
  options.output = place.folder / "t.%r.%p.%%.sqlite";
  REQUIRE_FALSE(record(options).refusal.has_value());
  CHECK(test::read_file(place.folder / "seen") ==
        (place.folder / "t.5.%p.%%.sqlite").string() + "\n");
  options.output = place.folder / "t.%r.sqlite";
  write_old_trace(place.folder / "t.5.sqlite");
  REQUIRE_FALSE(record(options).refusal.has_value());
  CHECK_FALSE(fs::exists(place.folder / "t.5.sqlite"));  // removed like any old trace
}

TEST_CASE("a name that ends with a slash is a folder with a file for each process", "[launch]") {
  const Workplace place;
  const ScopedVariable rank("RANK", nullptr);
  RecordOptions options = place.options(
      {"/bin/sh", "-c", "echo \"$LAPSCOPE_OUTPUT\" > " + (place.folder / "seen").string()});
  options.output = place.folder / "runs/today/";
  REQUIRE_FALSE(record(options).refusal.has_value());
  CHECK(fs::is_directory(place.folder / "runs/today"));
  const std::string seen = test::read_file(place.folder / "seen");
  CHECK(seen.ends_with("%r.%p.sqlite\n"));
  CHECK(seen.starts_with((place.folder / "runs/today/").string()));
  CHECK(fs::is_empty(place.folder / "runs/today"));  // the program used no CUDA
}

TEST_CASE("a file that is no trace is left alone byte for byte", "[launch]") {
  const Workplace place;
  test::write_file(place.output, "my thesis");
  check_refusal(place.options(), Refusal::Kind::io, "not a lapscope trace");
  CHECK(test::read_file(place.output) == "my thesis");
  fs::remove(place.output);
  schema::Database(place.output, schema::Database::Mode::create).execute("CREATE TABLE t (a)");
  const std::string before = test::read_file(place.output);
  check_refusal(place.options(), Refusal::Kind::io, "not a lapscope trace");
  CHECK(test::read_file(place.output) == before);
}

TEST_CASE("a missing libcupti that was asked for is refused", "[launch]") {
  const Workplace place;
  RecordOptions options = place.options();
  options.cupti = place.folder / "libcupti.so.99";
  check_refusal(options, Refusal::Kind::io, "libcupti.so.99");
}

TEST_CASE("an unknown program has the shell's status and leaves an old trace alone", "[launch]") {
  const Workplace place;
  write_old_trace(place.output);
  const std::string before = test::read_file(place.output);
  const Recording recording = record(place.options({"no-such-program-anywhere"}));
  REQUIRE(recording.refusal.has_value());
  CHECK(recording.refusal->kind == Refusal::Kind::program);
  CHECK(recording.refusal->exit_status == 127);
  CHECK(test::read_file(place.output) == before);
  CHECK(record(place.options({place.collector_path.string()})).refusal->exit_status == 126);
  CHECK(test::read_file(place.output) == before);
}

TEST_CASE("a refusal leaves no file where there was none", "[launch]") {
  const Workplace place;
  record(place.options({"no-such-program-anywhere"}));
  CHECK(place.folder.names() == std::vector<std::string>{"collector.so"});
}

TEST_CASE("a program without CUDA runs as ever and leaves no trace", "[launch]") {
  const Workplace place;
  write_old_trace(place.output);
  test::write_file(place.output.string() + "-wal", "");
  const Recording recording = record(place.options());
  CHECK_FALSE(recording.refusal.has_value());
  CHECK(recording.program.exit_status == 3);
  CHECK(recording.traces.empty());
  CHECK(recording.trouble.empty());
  // A remaining old trace could be mistaken for this run's.
  CHECK(place.folder.names() == std::vector<std::string>{"collector.so"});
}

TEST_CASE("a file that turns up in the trace's place is stated and left alone", "[launch]") {
  const Workplace place;
  const Recording recording = record(
      place.options({"sh", "-c", "echo a file of mine > " + place.output.string() + "; exit 3"}));
  CHECK(recording.program.exit_status == 3);
  CHECK(recording.traces.empty());
  CHECK(recording.trouble.find(place.output.string()) != std::string::npos);
  CHECK(test::read_file(place.output) == "a file of mine\n");
}

TEST_CASE("an output that is a symbolic link is written where the link points", "[launch]") {
  const Workplace place;
  const fs::path real = place.folder / "disk/real%.sqlite";
  fs::create_directory(real.parent_path());
  write_old_trace(real);
  fs::create_symlink("disk/real%.sqlite", place.output);
  const fs::path seen = place.folder / "seen";
  const Recording recording =
      record(place.options({"/bin/sh", "-c", "echo \"$LAPSCOPE_OUTPUT\" > " + seen.string()}));
  CHECK_FALSE(recording.refusal.has_value());
  CHECK(test::read_file(seen) == (place.folder / "disk/real%%.sqlite").string() + "\n");
  CHECK(fs::is_symlink(place.output));
  CHECK_FALSE(fs::exists(real));  // removed like any old trace
  // The link now leads nowhere, but names the file of the next recording.
  fs::remove(seen);
  CHECK_FALSE(record(place.options({"/bin/sh", "-c", "touch " + seen.string()})).refusal);
  CHECK(fs::exists(seen));
  CHECK(fs::is_symlink(place.output));
}

// %% in the output stands for the % in the name of the link.
TEST_CASE("an output whose name has a percent sign can be a symbolic link, too", "[launch]") {
  const Workplace place;
  const fs::path real = place.folder / "real.sqlite";
  write_old_trace(real);
  fs::create_symlink("real.sqlite", place.folder / "a%.sqlite");
  RecordOptions options = place.options();
  options.output = place.folder / "a%%.sqlite";
  CHECK_FALSE(record(options).refusal);
  CHECK(fs::is_symlink(place.folder / "a%.sqlite"));
  CHECK_FALSE(fs::exists(real));  // removed like any old trace
}

TEST_CASE("a symbolic link to a folder, to itself or to no file is refused", "[launch]") {
  const Workplace place;
  for (const char* target : {"folder", "folder/", "none/t.sqlite", "none/", "t.sqlite"}) {
    INFO(target);
    fs::create_directory(place.folder / "folder");
    fs::create_symlink(target, place.output);
    check_refusal(place.options(), Refusal::Kind::io, "t.sqlite");
    fs::remove(place.output);
    fs::remove(place.folder / "folder");  // fails unless it is empty
    CHECK(place.folder.names() == std::vector<std::string>{"collector.so"});
  }
}

TEST_CASE("files beside the output that are not lapscope's stay", "[launch]") {
  const Workplace place;
  write_old_trace(place.output);
  const std::string mine = place.output.string() + ".replaced";
  test::write_file(mine, "my thesis");
  record(place.options());
  CHECK_FALSE(fs::exists(place.output));
  REQUIRE(fs::exists(mine));
  CHECK(test::read_file(mine) == "my thesis");
}

TEST_CASE("a recording inside a recording is refused as such", "[launch]") {
  const Workplace place;
  const ScopedVariable set("CUDA_INJECTION64_PATH", place.collector_path.c_str());
  check_refusal(place.options(), Refusal::Kind::usage, "already under `lapscope record`");
}

TEST_CASE("the program gets what the collector needs to know", "[launch]") {
  const Workplace place;
  const std::string file = (place.folder / "variables").string();
  RecordOptions options = place.options(
      {"sh", "-c",
       "printf '%s\\n' \"$CUDA_INJECTION64_PATH\" \"$NVTX_INJECTION64_PATH\" \"$LAPSCOPE_OUTPUT\" "
       "\"$LAPSCOPE_FLUSH_MS\" \"$LAPSCOPE_CUPTI\" \"$LAPSCOPE_SESSION\" > " +
           file});
  options.flush_period = std::chrono::milliseconds(70);
  options.cupti = place.collector_path;
  record(options);
  std::ifstream lines(file);
  const auto next = [&lines] {
    std::string line;
    std::getline(lines, line);
    return line;
  };
  CHECK(next() == place.collector_path.string());
  CHECK(next() == place.collector_path.string());
  CHECK(next() == place.output.string());
  CHECK(next() == "70");
  CHECK(next() == place.collector_path.string());
  const std::string session = next();
  CHECK(session.size() == 16);
  record(options);
  CHECK(test::read_file(file).find(session) == std::string::npos);
}

TEST_CASE("traces of an earlier recording beside the output are left alone", "[launch]") {
  const Workplace place;
  const fs::path other = place.folder / "t.4711.sqlite";
  write_old_trace(other);
  const std::string before = test::read_file(other);
  const Recording recording = record(place.options());
  CHECK(recording.traces.empty());
  CHECK(test::read_file(other) == before);
}

TEST_CASE("a folder for temporary files that is not there stops nothing", "[launch]") {
  const Workplace place;
  const ScopedVariable folder("TMPDIR", "/nonexistent");
  const Recording recording = record(place.options());
  CHECK_FALSE(recording.refusal.has_value());
  CHECK(recording.program.exit_status == 3);
}

TEST_CASE("what each process could not write is told", "[launch]") {
  const Workplace place;
  const Recording recording =
      record(place.options({"/bin/sh", "-c",
                            "for rank in 1 2; do"
                            " printf '0\\t/data/%s.sqlite\\tno room\\n' $rank >>$LAPSCOPE_NOTE;"
                            " done"}));
  CHECK(recording.trouble ==
        "'/data/1.sqlite' could not be written: no room. "
        "'/data/2.sqlite' could not be written: no room.");
}

}  // namespace
}  // namespace lapscope::launch

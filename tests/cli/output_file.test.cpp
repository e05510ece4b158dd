#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/Error.hpp>
#include <csignal>

#include "collector/schema/sqlite.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"

namespace lapscope::cli {
namespace {

using test::TemporaryFolder;

bool knows_nameless_files(const TemporaryFolder& folder) {
  const int file = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

TEST_CASE("nothing is left of a file whose process was killed before it was complete") {
  const TemporaryFolder folder;
  if (!knows_nameless_files(folder)) {
    test::skip_because("the file system of the temporary folder has no nameless files");
  }
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::signal(signal, SIG_DFL);
      OutputFile file(folder / "r.html", {});
      file.stream() << "half of";
      ::kill(::getpid(), signal);
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    REQUIRE(WTERMSIG(status) == signal);
    CHECK(test::names_in(folder.path()).empty());
  }
}

TEST_CASE("nor of a database that SQLite was writing into it") {
  const TemporaryFolder folder;
  if (!knows_nameless_files(folder)) {
    test::skip_because("the file system of the temporary folder has no nameless files");
  }
  const auto write = [&folder](int signal) {
    OutputFile file(folder / "t.sqlite", {});
    auto database = schema::Database::nameless(file.name_to_open());
    database.execute(
        "PRAGMA cache_size = 1; CREATE TABLE t (a); INSERT INTO t WITH "
        "RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) SELECT i FROM "
        "n");
    if (signal != 0) ::kill(::getpid(), signal);
    file.commit();
  };
  for (const int signal : {SIGINT, SIGKILL}) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::signal(signal, SIG_DFL);
      write(signal);
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    CHECK(test::names_in(folder.path()).empty());
  }
  write(0);
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"t.sqlite"});
  schema::Database whole(folder / "t.sqlite", schema::Database::Mode::read_only);
  CHECK(whole.query_int64("SELECT sum(a) FROM t") == 49'995'000);
}

TEST_CASE("a symbolic link stays one, also where it leads to nothing yet") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "there");
  std::filesystem::create_symlink("there/r.txt", folder / "first");
  std::filesystem::create_symlink("first", folder / "second");
  for (const char* content : {"new", "again"}) {
    OutputFile file(folder / "second", {});
    file.stream() << content;
    file.commit();
    CHECK(std::filesystem::is_symlink(folder / "first"));
    CHECK(std::filesystem::is_symlink(folder / "second"));
    CHECK(test::read_file(folder / "there" / "r.txt") == content);
  }
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"first", "second", "there"});
  // No output replaces a file that belongs to an input, such as its -wal file, even through a link.
  std::filesystem::create_symlink("t.sqlite-wal", folder / "third");
  test::write_file(folder / "t.sqlite", "a trace");
  CHECK_THROWS_AS(OutputFile(folder / "third", {folder / "t.sqlite"}), CLI::ValidationError);
  std::filesystem::create_symlink("round", folder / "round");
  CHECK_THROWS_AS(OutputFile(folder / "round", {}), std::runtime_error);
}

TEST_CASE("a file appears when it is complete, and not before") {
  const TemporaryFolder folder;
  {
    OutputFile file(folder / "r.txt", {});
    file.stream() << "all of it";
    CHECK_FALSE(std::filesystem::exists(folder / "r.txt"));
    file.commit();
  }
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"r.txt"});
  CHECK(test::read_file(folder / "r.txt") == "all of it");
  { const OutputFile given_up(folder / "q.txt", {}); }
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"r.txt"});
}

// The output may have another path than the input, such as a link, and still be the same file.
TEST_CASE("no command writes over what it reads") {
  const TemporaryFolder folder;
  const std::string trace = folder / "t.sqlite";
  std::filesystem::copy_file(LAPSCOPE_TEST_TRACES "/pipeline-fixed.sqlite", trace);
  std::filesystem::create_symlink(trace, folder / "link.sqlite");
  std::filesystem::create_hard_link(trace, folder / "same.sqlite");
  const std::string run = folder / "run";
  const std::string rank = run + "/0.sqlite";
  std::filesystem::create_directory(run);
  std::filesystem::copy_file(trace, rank);
  const std::string content = test::read_file(trace);
  const std::string gates = folder / "gates.toml";
  test::write_file(gates, "[gate.g]\ntraces = ['t.sqlite']\nmax = { idle_ratio = 1 }\n");
  const std::string rules = test::read_file(gates);
  const std::vector<std::vector<std::string>> commands = {
      {"summarize", trace, "-o", trace},
      {"summarize", trace, "-o", folder / "link.sqlite"},
      {"report", trace, "--format", "json", "-o", folder / "same.sqlite"},
      {"diff", trace, LAPSCOPE_TEST_TRACES "/pipeline-broken.sqlite", "--format", "json", "-o",
       trace},
      {"gate", trace, "--max-idle", "100%", "--write", "junit=" + trace},
      {"gate", "--config", gates, "--write", "junit=" + trace},
      {"gate", "--config", gates, "--write", "junit=" + gates},
      {"summarize", trace, "-o", trace + "-wal"},
      {"summarize", folder / "link.sqlite", "-o", folder / "link.sqlite-journal"},
      {"summarize", run, "-o", rank},
      {"gate", run, "--max-idle", "100%", "--write", "json=" + rank},
      {"gate", trace, "--baseline", run, "--write", "json=" + rank},
  };
  for (const auto& command : commands) {
    INFO(command.front() << ' ' << command.back());
    const auto result = test::run_lapscope(command);
    CHECK(result.status == 2);
    CHECK(result.err.find("Name another output file.") != std::string::npos);
    CHECK(test::read_file(trace) == content);
    CHECK(test::read_file(rank) == content);
    CHECK(test::read_file(gates) == rules);
  }
}

TEST_CASE("nor to the same place twice, nor where GitHub reads") {
  const TemporaryFolder folder;
  const std::string trace = folder / "t.sqlite";
  std::filesystem::copy_file(LAPSCOPE_TEST_TRACES "/pipeline-fixed.sqlite", trace);
  const std::string content = test::read_file(trace);
  const std::string out = folder / "out";
  const auto twice =
      test::run_lapscope({"gate", trace, "--max-idle", "100%", "--write", "json=" + out, "--write",
                          "junit=" + (folder / "." / "out").string()});
  CHECK(twice.status == 2);
  CHECK(twice.err.find("two results would be written to") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(out));
  // Two different names of one new file.
  const std::string here = folder.path().filename().string() + ".out";
  const auto relative = test::run_lapscope({"gate", trace, "--max-idle", "100%", "--write",
                                            "json=" + here, "--write", "junit=./" + here});
  CHECK(relative.status == 2);
  CHECK_FALSE(std::filesystem::remove(here));
  const auto github =
      test::run_lapscope({"gate", trace, "--max-idle", "100%"},
                         {{"GITHUB_ACTIONS", "true"}, {"GITHUB_STEP_SUMMARY", trace}});
  CHECK(github.status == 2);
  CHECK(test::read_file(trace) == content);
}

TEST_CASE("names of files move no cursor and begin no line on standard error") {
  const TemporaryFolder folder;
  const std::string name = folder / "a\x1b[31m\n::error::b\r\xe2\x80\xae.sqlite";
  const std::string same = folder / "t\n::warning::t.sqlite";
  std::filesystem::copy_file(LAPSCOPE_TEST_TRACES "/pipeline-fixed.sqlite", same);
  const std::vector<std::vector<std::string>> commands = {
      {"analyze", name},
      {"report", name},
      {"gate", name, "--max-idle", "50%"},
      {"gate", "--config", name},
      {"diff", name, name},
      {"whatif", name, "--fix", "host-sync"},
      {"summarize", name},
      {"summarize", same, "-o", same},
      {"analyze", "--" + name},
      {name},
      {"analyze", same, "--window", name},
  };
  for (const auto& command : commands) {
    INFO(command.front());
    const auto result = test::run_lapscope(command);
    CHECK(result.status != 0);
    CHECK(result.err.starts_with("lapscope: "));
    CHECK(result.err.find_first_of("\x1b\r") == std::string::npos);
    CHECK(result.err.find("\xe2\x80\xae") == std::string::npos);
    CHECK(result.err.find('\n') == result.err.size() - 1);
  }
}

TEST_CASE("commands write to standard error by one function") {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(LAPSCOPE_SOURCE_DIR "/cli")) {
    if (!entry.is_regular_file()) continue;
    const std::string file = entry.path().filename();
    // Only four files may write to standard error. commands.cpp has the function with which all
    // commands write. command_line.cpp passes std::cerr to the parser. progress_bar.cpp writes only
    // the bar. gate_command.cpp writes annotations that are already escaped.
    if (file == "commands.cpp" || file == "command_line.cpp" || file == "progress_bar.cpp")
      continue;
    const std::string text = test::read_file(entry.path());
    INFO(file);
    std::size_t writes = 0;
    for (std::size_t at = 0; (at = text.find("std::cerr", at)) != std::string::npos; ++at) ++writes;
    CHECK(writes == (file == "gate_command.cpp" ? 1 : 0));
    CHECK(text.find("fprintf") == std::string::npos);
  }
}

}  // namespace
}  // namespace lapscope::cli

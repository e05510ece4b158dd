#include <filesystem>
#include <fstream>
#include <system_error>

#include "collector/control/control_commands.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::control {
namespace {

using namespace std::chrono_literals;
using Verb = Command::Verb;

TEST_CASE("a command is read as it was written") {
  Command all{Verb::start, 5000ms, "train step = 1", 100, 1.25, 20, "checkpoint", 300ms, true};
  Command start;
  start.verb = Verb::start;
  Command stop;
  stop.verb = Verb::stop;
  for (const Command& command : {start, all, stop, Command{}}) {
    INFO(line_of(command));
    const auto read = command_of(line_of(command));
    REQUIRE(read);
    CHECK(read->verb == command.verb);
    CHECK(read->duration == command.duration);
    CHECK(read->iteration_range == command.iteration_range);
    CHECK(read->from == command.from);
    CHECK(read->slower == command.slower);
    CHECK(read->iterations == command.iterations);
    CHECK(read->until_range == command.until_range);
    CHECK(read->keep == command.keep);
    CHECK(read->is_light == command.is_light);
  }
}

TEST_CASE("what no version says is no command") {
  for (const char* const line :
       {"", "begin", "start now", "start\tduration=-5", "start\tduration=5 6", "start\tduration",
        "start\tspeed=5", "STOP"}) {
    INFO(line);
    CHECK_FALSE(command_of(line));
  }
}

TEST_CASE("a state is read as it was written") {
  const State state{true, 3, "/a folder/t.3.sqlite", "no room on the disk",
                    "iteration 120 of 'step'"};
  const auto read = state_of(line_of(state));
  REQUIRE(read);
  CHECK(read->is_capturing);
  CHECK(read->captures == 3);
  CHECK(read->trace == state.trace);
  CHECK(read->problem == state.problem);
  CHECK(read->refusal == state.refusal);
  CHECK(read->note == state.note);
}

TEST_CASE("a name of a file adds no line") {
  const State state{false, 1, "a\nb\tc", "two\nlines", "a\ttab", "more"};
  const std::string line = line_of(state);
  CHECK(line.find('\n') == std::string::npos);
  CHECK(state_of(line)->trace == "a b c");
}

TEST_CASE("what no version answers is no state") {
  for (const char* const line : {"", "armed", "armed\tmany\t\t", "away\t1\t\t"}) {
    INFO(line);
    CHECK_FALSE(state_of(line));
  }
}

Command starting(std::int64_t iterations) {
  Command command;
  command.verb = Verb::start;
  command.iterations = iterations;
  return command;
}

TEST_CASE("each command in the file is read once") {
  const test::TemporaryFolder folder;
  CommandFile file(folder.path());
  CHECK_FALSE(file.next());
  write_command_file(folder.path(), starting(20));
  const auto command = file.next();
  REQUIRE(command);
  CHECK(command->verb == Verb::start);
  CHECK(command->iterations == 20);
  CHECK_FALSE(file.next());
  write_command_file(folder.path(), starting(20));
  CHECK(file.next());
}

TEST_CASE("a command of an earlier run is not read") {
  const test::TemporaryFolder folder;
  write_command_file(folder.path(), starting(20));
  CommandFile file(folder.path());
  CHECK_FALSE(file.next());
  write_command_file(folder.path(), {});
  CHECK(file.next()->verb == Verb::status);
}

TEST_CASE("a file that no command stands in is passed over") {
  const test::TemporaryFolder folder;
  CommandFile file(folder.path());
  for (const char* const text : {"", "one line", "first\nbegin\n", "first\nstart"}) {
    INFO(text);
    std::ofstream(folder.path() / "command") << text;
    CHECK_FALSE(file.next());
  }
}

TEST_CASE("the file is there before a command is") {
  const test::TemporaryFolder folder;
  make_command_file(folder.path());
  CHECK(std::filesystem::exists(folder.path() / "command"));
  CommandFile file(folder.path());
  CHECK_FALSE(file.next());
  write_command_file(folder.path(), starting(20));
  make_command_file(folder.path());
  CHECK(file.next()->iterations == 20);
}

TEST_CASE("a folder that does not exist is an error of the writer") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(write_command_file(folder.path() / "none", {}), std::system_error);
  CommandFile file(folder.path() / "none");
  CHECK_FALSE(file.next());
}

TEST_CASE("nothing but the command is left in the folder") {
  const test::TemporaryFolder folder;
  write_command_file(folder.path(), starting(1));
  CHECK(folder.names() == std::vector<std::string>{"command"});
}

TEST_CASE("a folder in which a process has a socket stays") {
  const test::TemporaryFolder folder;
  write_command_file(folder.path(), starting(1));
  std::ofstream(folder.path() / "host.1") << "";
  remove_unused(folder.path());
  CHECK(folder.names().size() == 2);
  std::filesystem::remove(folder.path() / "host.1");
  remove_unused(folder.path());
  CHECK_FALSE(std::filesystem::exists(folder.path()));
  remove_unused(folder.path());
}

}  // namespace

}  // namespace lapscope::control

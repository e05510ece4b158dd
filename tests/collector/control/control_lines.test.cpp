#include "collector/control/control_lines.h"

#include "tests/catch.h"

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

}  // namespace
}  // namespace lapscope::control

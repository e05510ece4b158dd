#include "analyzer/machine/copy_engines.h"

#include "tests/analyzer/machine/on_machine.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;
using test::run_on_machine;

TEST_CASE("an engine is given to those that wait, first come first served") {
  REQUIRE(run_on_machine(Program(R"(
    thread 1  abcd........
    stream 1  .AAAA.......
    stream 2  ...BBBB.....
    stream 3  ..CCCC......
    stream 4  .....DDDD...
    ABCD = h2d
  )")) == Lines{"A 1 to 5", "B 9 to 13", "C 5 to 9", "D 13 to 17"});
}

// From 2 on, A and B copy at half speed. B runs alone after the end of A.
TEST_CASE("the end of a copy moves when a copy in the other direction begins or ends") {
  REQUIRE(run_on_machine(Program(R"(
    thread 1  ab......
    stream 1  .AAAA...
    stream 2  ..BBBB..
    A = h2d
    B = d2h
  )")) == Lines{"A 1 to 8", "B 2 to 9"});
}

TEST_CASE("copies between devices take their time whatever else runs") {
  REQUIRE(run_on_machine(Program(R"(
    thread 1  abc.....
    stream 1  .AAAA...
    stream 2  .BBBB...
    stream 3  ..CC....
    A = h2d
    B = d2h
    C = d2d
  )")) == Lines{"A 1 to 9", "B 1 to 9", "C 2 to 4"});
}

TEST_CASE("only engines that were seen to run one op at a time are exclusive") {
  const Program program(R"(
    thread 1  ab......
    stream 1  .AAAA...
    stream 2  ..BBBB..
    AB = h2d
  )");
  MachineParameters machine = test::machine_of(test::graph_of(program.trace));
  machine.traits[0].exclusive = {};
  REQUIRE(test::run_on(machine, program) == Lines{"A 1 to 5", "B 2 to 6"});
}

TEST_CASE("where one engine copies both ways, each copy waits for the one before") {
  const Program program(R"(
    thread 1  ab......
    stream 1  .AAAA...
    stream 2  ..BBBB..
    A = h2d
    B = d2h
  )");
  MachineParameters machine = test::machine_of(test::graph_of(program.trace));
  machine.traits[0].one_copy_engine = true;
  REQUIRE(test::run_on(machine, program) == Lines{"A 1 to 5", "B 5 to 9"});
}

}  // namespace
}  // namespace lapscope::analyzer

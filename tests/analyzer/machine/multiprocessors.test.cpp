#include "analyzer/machine/multiprocessors.h"

#include "tests/analyzer/machine/on_machine.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;
using test::run_on_machine;

Program three_kernels(const std::string& legend) {
  return Program(R"(
    thread 1              abc........
    stream 1              .AAAA......
    stream 2              ..BBBB.....
    stream 3 priority -1  ...CCCC....
    )" + legend);
}

TEST_CASE("kernels run beside each other while there is room") {
  REQUIRE(run_on_machine(three_kernels("ABC = fills 30")) ==
          Lines{"A 1 to 5", "B 2 to 6", "C 3 to 7"});
}

TEST_CASE("kernels that find no room wait, and those of the higher priority go first") {
  REQUIRE(run_on_machine(three_kernels("ABC = fills 100")) ==
          Lines{"A 1 to 5", "B 9 to 13", "C 5 to 9"});
}

// B starts with the 40 % that A leaves. B has all its blocks when A has ended. C uses the room of
// B's first blocks.
TEST_CASE("a kernel starts with some of its blocks, and the others come when there is room") {
  REQUIRE(run_on_machine(three_kernels("A = fills 60\nB = fills 100\nC = fills 10")) ==
          Lines{"A 1 to 5", "B 2 to 9", "C 6 to 10"});
}

TEST_CASE("kernels whose demands exceed the throughput slow each other down") {
  const Program two(R"(
    thread 1  ab........
    stream 1  .AAAA.....
    stream 2  .BBBBBB...
  )");
  REQUIRE(run_on_machine(two, 0.5) == Lines{"A 1 to 5", "B 1 to 7"});
  REQUIRE(run_on_machine(two, 1) == Lines{"A 1 to 9", "B 1 to 11"});
}

}  // namespace
}  // namespace lapscope::analyzer

#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;
using test::replayed_wall;

// In the recording, the call b loads a module, so B and C start only after the end of A. With the
// fix, the call b takes half a character.
TEST_CASE("if a module was loaded before the run, loading delays no kernel") {
  const Program program(R"(
    thread 1   abbbc.......
    loading 1  ..m.........
    stream 1   .AAAAAAA....
    stream 2   ........BBBB
    stream 3   ........CC..
  )");
  REQUIRE(replayed(program, fixed(program, "module-load")) ==
          Lines{"A 1 to 8", "B 1.5 to 5.5", "C 2.5 to 4.5"});
}

TEST_CASE("calls that only load modules are left out") {
  const Program program(R"(
    thread 1  lllla...
    stream 1  .....AAA
    l = cuModuleLoadData
  )");
  REQUIRE(replayed(program, fixed(program, "module-load")) == Lines{"A 1 to 4"});
}

}  // namespace
}  // namespace lapscope::analyzer

#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;

constexpr const char* one_function = R"(
    thread 1  afb.........
    stream 1  .AAAA...BBBB
    f = cudaLaunchHostFunc
)";

// A character is 100 us. f lasts until 5 us before B; a quick one would take 200 us all the same.
TEST_CASE("of a host function the way to the host and back is left") {
  const Program program(one_function, 100'000);
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 1 to 5", "B 7.05 to 11.05", "f 5 to 7"});
}

TEST_CASE("a host function that takes no longer than that way is as quick as it gets") {
  const Program program(one_function, 10'000);
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          replayed(program, graph_of(program.trace)));
}

}  // namespace
}  // namespace lapscope::analyzer

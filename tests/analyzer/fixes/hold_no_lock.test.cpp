#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::fixed;
using test::graph_of;
using test::Program;
using test::replayed_wall;

// With the fix, a thread continues one unit after its wait, as it did where the lock was free.
TEST_CASE("without the lock a thread does not wait for one that does the same work") {
  constexpr auto drawing = R"(
    thread 1  asss......asss......asss......asss......asss......asss......asss......asss......
    thread 2  .....bttt......bttt......bttt......bttt......bttt......bttt......bttt......bttt.
    stream 1  .AA.......AA........AA........AA........AA........AA........AA........AA........
    stream 2  ......BB........BB........BB........BB........BB........BB........BB........BB..
    s = cudaStreamSynchronize, stream 1
    t = cudaStreamSynchronize, stream 2
    AB = named step
  )";
  const Program program(drawing);
  REQUIRE(replayed_wall(program, graph_of(program.trace)) == "77");
  REQUIRE(replayed_wall(program, fixed(program, "lock")) == "42");
}

}  // namespace
}  // namespace lapscope::analyzer

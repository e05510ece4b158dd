#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::fixed;
using test::graph_of;
using test::Program;
using test::replayed_wall;

// In the recording, each thread continues one character after the end of the other thread's
// synchronization. With the fix, it continues one character after its own synchronization.
TEST_CASE("without the lock, a thread does not wait for another thread with the same work") {
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

#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;

// Times in characters:
//
//   transfer of 32 KiB at the rate of L          2 / 32       = 1/16
//   start of a copy: B without its transfer      1 - 1/16     = 15/16
//   merged copy: one start and four transfers    15/16 + 4/16 = 1.188
TEST_CASE("small copies in a row become one, where the last of them was") {
  const Program program(R"(
    thread 1  l.....bcdek.......
    stream 1  .LL....B.C.D.E.KKK
    L = h2d, bytes 1048576
    BCDE = h2d, bytes 32768
  )");
  REQUIRE(
      replayed(program, fixed(program, "small-copies")) ==
      Lines{"E 7 to 8.188", "K 9.188 to 12.188", "L 1 to 3", "b 6 to 6", "c 6 to 6", "d 6 to 6"});
}

// K waits for C. B and C become one copy. D, E and F become another copy.
TEST_CASE("a merged copy ends with a copy that other work waits for") {
  const Program program(R"(
    thread 1  l.....bcsdefwk....
    stream 1  .LL....B.C.D.E.F..
    stream 2  .............KKK..
    L = h2d, bytes 1048576
    BCDEF = h2d, bytes 32768
    s = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  REQUIRE(replayed(program, fixed(program, "small-copies")) ==
          Lines{"C 7 to 8.063", "F 10.063 to 11.188", "K 10 to 13", "L 1 to 3", "b 6 to 6",
                "d 9.063 to 9.063", "e 8 to 8"});
}

}  // namespace
}  // namespace lapscope::analyzer

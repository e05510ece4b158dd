#include "analyzer/fixes/fix.h"
#include "analyzer/graph/sharing.h"
#include "analyzer/replay/replay.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::recorded;
using test::replayed;
using test::replayed_wall;

TEST_CASE("kernels of one wave that kept others out run beside them and take as long") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAAA...
    stream 2  ......BBB
    AB = fills 100
  )");
  REQUIRE(replayed(program, fixed(program, "sm-saturated")) == Lines{"A 1 to 6", "B 2 to 5"});
}

// A and B are launches of one kernel. If they do not slow each other down, B starts beside A. If
// each demands the whole throughput, overlap saves nothing, and B starts after A.
//
//   stream 1  .AAAAA
//   stream 2  ......BBBBB
TEST_CASE("two launches of one kernel need no fix unless they use less than the whole throughput") {
  const Program program(R"(
    thread 1  ab..........
    stream 1  .AAAAA......
    stream 2  ......BBBBB.
    AB = fills 100, named k
  )");
  Graph graph = graph_of(program.trace);
  graph = edited(leave_room.edits(program.trace, graph, 0));
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 6", "B 2 to 7"});
  graph = graph_of(program.trace);
  assume(Sharing::most, graph);
  graph = edited(leave_room.edits(program.trace, graph, 0));
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 6", "B 6 to 11"});
  REQUIRE(replay(graph).is_in_doubt);
}

TEST_CASE("a kernel that another one waits for, too, leaves room to its like as well") {
  const Program program(R"(
    thread 1  abc............
    stream 1  .AAAAA.........
    stream 2  ......BBBBB....
    stream 3  ...........CCC.
    AB = fills 100, named k
    C = fills 50
  )",
                        1'000'000);
  Graph graph = graph_of(program.trace);
  assume(Sharing::most, graph);
  graph = edited(leave_room.edits(program.trace, graph, 0));
  REQUIRE_FALSE(replayed(program, graph) == recorded(program, graph));
}

// A has waves of 2 characters. With the fix, B runs before the second wave.
TEST_CASE("a stream that waited for a kernel of many waves gets a higher priority") {
  const Program program(R"(
    thread 1  ab........
    stream 1  .AAAAAA...
    stream 2  .......BBB
    A = fills 300
    B = fills 10
  )");
  REQUIRE(replayed(program, fixed(program, "sm-saturated")) == Lines{"A 1 to 7", "B 3 to 6"});
}

// With the fix, A leaves a tenth of the multiprocessors free and takes 10 characters instead of 9.
TEST_CASE("a kernel leaves the room that communication needs, and takes longer") {
  const Program program(R"(
    thread 1  ab..............
    stream 1  .AAAAAAAAA......
    stream 2  ..........BBB...
    A = fills 100
    B = fills 10, named ncclDevKernel_AllReduce
  )");
  REQUIRE(replayed(program, fixed(program, "sm-saturated")) == Lines{"A 1 to 11", "B 2 to 5"});
}

// B occupies a tenth of the device. At first, only nine tenths of C's blocks have room. The other
// blocks wait for the end of B. With the fix, C uses nine tenths of the device from its start to
// its end.
TEST_CASE("a kernel with too little room beside communication gets smaller") {
  const Program program(R"(
    thread 1  bc.............
    stream 1  .BBB...........
    stream 2  ..CCCCCCCCCCC..
    C = fills 100
    B = fills 10, named ncclDevKernel_AllReduce
  )");
  REQUIRE(test::graph_of(program.trace).crowded.size() == 1);
  REQUIRE(replayed(program, fixed(program, "sm-saturated")) == Lines{"B 1 to 4", "C 2 to 12"});
}

// A leaves a tenth of the device free. B needs only a tenth, but waited for the end of A. With the
// fix, A leaves two tenths free, and takes 9 characters instead of 8.
TEST_CASE("if communication waited although there was room, the fix leaves more room") {
  const Program program(R"(
    thread 1  arwb.............
    stream 3  .CC..............
    stream 1  ..AAAAAAAA.......
    stream 2  ..........BBB....
    r = cudaEventRecord, stream 3, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    A = fills 90
    B = fills 10, named ncclDevKernel_AllReduce
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(graph.kept_out.size() == 1);
  REQUIRE(replayed(program, fixed(program, "sm-saturated")) ==
          Lines{"A 2 to 11", "B 5 to 8", "C 1 to 3"});
}

}  // namespace
}  // namespace lapscope::analyzer

#include "analyzer/findings/advice.h"

#include "analyzer/findings/find_causes.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

Lines steps(const Program& program) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const Scoped scope = scoped(graph, 0, whole(program.trace.devices[0].ops));
  Lines lines;
  const CausesResult causes = find_causes({program.trace, host, graph}, {scope}, {}).at(0);
  for (const Advice& one : causes.advice) lines.emplace_back(one.step);
  return lines;
}

TEST_CASE("where a link is busy all the time, streams cannot help") {
  REQUIRE(steps(Program(R"(
    thread 1  abcdefg..................
    stream 1  .AAAAAADDDDDDEEEEEEFFFFFF
    stream 2  .......BBB...CCC...GGG...
    ADEF = h2d
  )")) == Lines{"bound"});
}

TEST_CASE("where kernels run all the time, it is they that must get quicker") {
  REQUIRE(steps(Program(R"(
    thread 1  ab.........
    stream 1  .AAAAABBBBB
  )")) == Lines{"bound"});
}

TEST_CASE("one large copy before a kernel is to be cut into tiles") {
  REQUIRE(steps(Program(R"(
    thread 1  ab...........
    stream 1  .AAAAAABBBBBB
    A = h2d
  )")) == Lines{"chunk"});
}

// No copy takes a fifth of the time; what else there is to say is a finding's.
TEST_CASE("tiles that are small need not be smaller") {
  REQUIRE(steps(Program(R"(
    thread 1  abcdefgh.............
    stream 1  .AABBBCCDDDEEFFFGGHHH
    ACEG = h2d
  )"))
              .empty());
}

TEST_CASE("a copy that has something beside it is not to be cut") {
  REQUIRE(steps(Program(R"(
    thread 1  ab......c......
    stream 1  .AAAAAA..CCCCCC
    stream 2  .BBBBBBB.......
    A = h2d
  )")) != Lines{"chunk"});
}

// Kernels are all there is, and those that wait for the communication need it.
TEST_CASE("communication that nothing hides wants to go first, and room") {
  REQUIRE(steps(Program(R"(
    thread 1  arwbsvc..........
    stream 1  .AAAAAA.....CCCCC
    stream 2  .......BBBBB.....
    B = named ncclDevKernel_AllReduce
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    s = cudaEventRecord, stream 2, event 2
    v = cudaStreamWaitEvent, stream 1, event 2
  )")) == Lines{"bound", "communication"});
}

}  // namespace
}  // namespace lapscope::analyzer

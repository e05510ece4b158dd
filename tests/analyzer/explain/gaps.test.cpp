#include "analyzer/explain/gaps.h"

#include <algorithm>

#include "analyzer/scope/sweep.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::length_of;
using test::Lines;
using test::Program;

// Returns the parts of all gaps of device 0, such as "5 to 7 host-sync s". The letter is the call
// that delayed a thread.
Lines parts(const Program& program) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const GapExplainer explainer({program.trace, host, graph}, 0);
  const Device& device = program.trace.devices[0];
  GapObserver gaps(program.trace, device, {100}, &explainer);
  sweep(device.ops, whole(device.ops), gaps);
  std::vector<Gap> found = gaps.gaps().longest;
  std::sort(found.begin(), found.end(),
            [](const Gap& a, const Gap& b) { return a.interval.start < b.interval.start; });
  Lines lines;
  for (const Gap& gap : found) {
    for (const GapPart& part : gap.parts) {
      std::string line = length_of(program, part.interval.start) + " to " +
                         length_of(program, part.interval.end) + ' ' +
                         std::string(code_of(part.cause));
      if (part.call != no_index) line += ' ' + program.calls[part.call];
      lines.push_back(line);
    }
  }
  return lines;
}

TEST_CASE("a gap is what held the op up that ends it, back to where it begins") {
  REQUIRE(parts(Program(R"(
    thread 1  assssss.b..
    stream 1  .AAAA......
    stream 2  .........BB
    s = cudaDeviceSynchronize
  )")) == Lines{"5 to 7 host-sync s", "7 to 8 host-compute", "8 to 9 launch-overhead b"});
}

TEST_CASE("where streams wait for each other, the time from the one to the other is theirs") {
  REQUIRE(parts(Program(R"(
    thread 1    abc.......
    blocking 1  .AAA......
    legacy 7    .....BB...
    blocking 2  ........CC
  )")) == Lines{"4 to 5 default-stream-barrier", "7 to 8 default-stream-barrier"});
}

// During the gap, from 3 to 10, GPU 0 waits for B, which GPU 1 runs.
TEST_CASE(
    "if an op waits for another device in a gap, the cause of its wait is the cause of the gap") {
  REQUIRE(parts(Program(R"(
    thread 1                      abrwc.......
    stream 1                      .AA.......CC
    stream 12 context 2 device 1  ..BBBBBBB...
    r = cudaEventRecord, stream 12, event 1
    w = cudaStreamWaitEvent, stream 1, event 1
  )")) == Lines{"3 to 10 event-wait"});
}

TEST_CASE("an op without a call that nothing let go is not explained") {
  REQUIRE(parts(Program(R"(
    stream 1  .AA......
    stream 2  .....BBBB
  )")) == Lines{"3 to 5 unexplained"});
}

TEST_CASE("of ops that start together the one that was issued first tells") {
  REQUIRE(parts(Program(R"(
    thread 1  a.....b...
    thread 2  ....c.....
    stream 1  .AA.....B.
    stream 2  ........C.
  )")) == Lines{"3 to 4 host-compute", "4 to 5 launch-overhead c", "5 to 7 launch-latency",
                "7 to 8 unexplained"});
}

}  // namespace
}  // namespace lapscope::analyzer

#include "analyzer/analysis/kernel_inputs.h"

#include "analyzer/scope/scope.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

// Returns the time at which the data of each communication kernel was ready, such as "X 5".
Lines inputs(const Program& program) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  Lines lines;
  for (const KernelInputs& one : inputs_of_communication({program.trace, host, graph}, scope)) {
    lines.push_back(program.ops[0][one.op] + ' ' + test::length_of(program, one.ready));
  }
  return lines;
}

// Y starts late because X, ahead of it in its stream, ends late.
TEST_CASE("the data of a kernel is ready when the work before it has ended", "[ranks]") {
  CHECK(inputs(Program(R"(
    thread 1  arwxbs.vy...............
    stream 1  .AAAABBBB...............
    stream 2  .....XXXXXXXXXXYYY......
    XY = named ncclDevKernel_AllReduce
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    s = cudaEventRecord, stream 1, event 1
    v = cudaStreamWaitEvent, stream 2, event 1
  )")) == Lines{"X 5", "Y 9"});
}

TEST_CASE("a kernel behind another one is ready when that one starts", "[ranks]") {
  CHECK(inputs(Program(R"(
    thread 1  axy............
    stream 1  .AAXXXXXYYY....
    XY = named ncclDevKernel_AllReduce
  )")) == Lines{"X 3", "Y 3"});
}

TEST_CASE("a kernel that waits for a kernel of another communicator has no inputs", "[ranks]") {
  CHECK(inputs(Program(R"(
    thread 1  axrwy...........
    stream 1  .AA.............
    stream 2  ...XXXXX........
    stream 3  ........YYY.....
    XY = named ncclDevKernel_AllReduce
    r = cudaEventRecord, stream 2, event 1
    w = cudaStreamWaitEvent, stream 3, event 1
  )")) == Lines{"X 1"});
}

TEST_CASE("a kernel that waits for no op is ready when it is issued", "[ranks]") {
  CHECK(inputs(Program(R"(
    thread 1  ax.......
    stream 1  .AAA.....
    stream 2  ...XXXX..
    X = named ncclDevKernel_AllReduce
  )")) == Lines{"X 1"});
  CHECK(inputs(Program(R"(
    thread 1  a........
    stream 1  .AAA.....
    stream 2  ...XXXX..
    X = named ncclDevKernel_AllReduce
  )")) == Lines{});
}

// Thread 2 issues no work. The recorder's time in the wait s and before the poll q is no time of
// the host.
TEST_CASE("a kernel has the time that recording added to the host before it was issued",
          "[ranks]") {
  const Program program(R"(
    thread 1  .a..x..ssqy...
    stream 1  ...A..XXX..Y..
    thread 2  qqqqqqqqqqqqqq
    XY = named ncclDevKernel_AllReduce
    s = cudaDeviceSynchronize
    q = cudaEventQuery
  )");
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  std::vector<Charge> charges(graph.steps.size(), {.call = 2, .before = 1});
  const auto known = inputs_of_communication({program.trace, host, graph, nullptr, charges}, scope);
  REQUIRE(known.size() == 2);
  CHECK(known[0].recorder == 1 + 2 + 1);              // a, and before x
  CHECK(known[1].recorder == 1 + 2 + 1 + 2 + 1 + 1);  // a, x, before s, before y
  CHECK(inputs_of_communication({program.trace, host, graph}, scope)[1].recorder == 0);
}

}  // namespace
}  // namespace lapscope::analyzer

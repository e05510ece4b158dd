#include "analyzer/graph/build_graph.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::held;
using test::Lines;
using test::Program;

TEST_CASE("the latest of several constraints binds, and without it the next latest would") {
  const Program program(R"(
    thread 1    abrwcd..........
    stream 1    .AAAA...........
    stream 2    ..BBBBBB........
    stream 3    ........CCCC....
    stream 3    ............DDDD
    r = cudaEventRecord, stream 2, event 1
    w = cudaStreamWaitEvent, stream 3, event 1
    AC = h2d
  )");
  // C waited longest for the event, which happened at 8. The engine was free at 5.
  REQUIRE(held(program, "C") == Lines{"C event-wait B 3"});
}

TEST_CASE("an op whose call is not in the trace and that follows nothing is not explained") {
  const Program program(R"(
    thread 1  b......
    stream 1  .BB....
    stream 2  ...AAAA
  )");
  REQUIRE(held(program, "A") == Lines{"A unexplained"});
}

TEST_CASE("a delay beyond any latency is stated as not explained") {
  const Program program(R"(
    thread 1  ab..........
    stream 1  .AAAA.....BB
  )");
  REQUIRE(held(program, "B") == Lines{"B stream-order A 3 + 3 unexplained"});
}

// Only the host delays B: A runs in another stream. The cases have different calls before B.

TEST_CASE("of several things that the thread did, the one that took longest is named") {
  const Program program(R"(
    thread 1  asss.mmmmmb.
    stream 1  .AAA........
    stream 2  ...........B
    s = cudaDeviceSynchronize
    m = cudaMalloc
  )");
  REQUIRE(held(program, "B") == Lines{"B alloc-free host 11"});
}

// The latency is 1 from kernel to kernel, 2 from a kernel to copy H, and 2 from the host to E, F
// and G. The trace does not show the latencies after events, in graphs, and from the host to
// copies.
TEST_CASE("an unknown latency is the shortest of similar latencies that the trace shows") {
  const Program program(R"(
    thread 1  abh.......mmmmmme...mmmmmmf...mmmmmmg....
    stream 1  ...AA.BB..HH.....
    stream 2  ...................EE........FF........GG
    m = cudaMalloc
    H = h2d
  )");
  const Graph graph = test::graph_of(program.trace);
  const auto latency = [&graph](Cause cause, Engine engine) {
    return graph.latencies.of(cause, engine);
  };
  REQUIRE(latency(Cause::stream_order, Engine::compute) == program.unit);
  REQUIRE(latency(Cause::stream_order, Engine::h2d) == 2 * program.unit);
  REQUIRE(latency(Cause::event_wait, Engine::compute) == program.unit);
  REQUIRE(latency(Cause::event_wait, Engine::h2d) == program.unit);
  REQUIRE(latency(Cause::graph_edge, Engine::compute) == 0);
  REQUIRE(latency(Cause::launch_overhead, Engine::compute) == 2 * program.unit);
  REQUIRE(latency(Cause::launch_overhead, Engine::h2d) == 2 * program.unit);
}

TEST_CASE("an op that starts a little too early has a latency of 0, not a negative one") {
  const Program program(R"(
    thread 1  abc.........
    stream 1  ..AAAAA.....
    stream 1  ......BBBBB.
    stream 1  ..........CC
    AB = h2d
  )",
                        assumed::clock_tolerance);
  const Graph graph = test::graph_of(program.trace);
  REQUIRE(graph.bindings[task_of(program, graph, "C")].lag == -program.unit);
  REQUIRE(graph.latencies.of(Cause::stream_order, Engine::compute) == 0);
}

// Launches take 2, 1 and 3, so the median is 2.
TEST_CASE("a call that need not wait takes as long as launches that waited for nothing") {
  const Program program(R"(
    thread 1  aabcccssssss
    stream 1  ..AAAABBBCCC
    s = cudaDeviceSynchronize
  )");
  const Graph graph = test::graph_of(program.trace);
  REQUIRE(graph.quick_call == 2 * program.unit);
  REQUIRE(test::step_of(program, graph, "s").call_overhead == 2 * program.unit);
  REQUIRE(graph.stand_ins.empty());
}

TEST_CASE("what a call takes is assumed where too few launches tell, if any call waits") {
  const Program waits(R"(
    thread 1  aabsssssss
    stream 1  ..AAAABBBB
    s = cudaDeviceSynchronize
  )");
  const Graph graph = test::graph_of(waits.trace);
  REQUIRE(graph.quick_call == assumed::quick_call);
  REQUIRE(graph.stand_ins == std::set<std::string_view>{"quick_call"});
  const Program program(R"(
    thread 1  aab.......
    stream 1  ..AAAABBBB
  )");
  REQUIRE(test::graph_of(program.trace).stand_ins.empty());
}

}  // namespace
}  // namespace lapscope::analyzer

#include "analyzer/graph/build_graph.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

TEST_CASE("a copy waits for the one of the same direction, and the other one for nobody") {
  const Program program(R"(
    thread 1  abc......
    stream 1  .AAAA....
    stream 2  .....BBBB
    stream 3  ...CCCC..
    AB = h2d
    C = d2h
  )");
  REQUIRE(held(program, "B C") == Lines{"B copy-engine A 3", "C launch-overhead host 3"});
}

// C could have gone at 3, when the engine was idle: B had the engine reserved without using it.
TEST_CASE("a copy engine is blocked by a copy that waits for its own stream") {
  const Program program(R"(
    thread 1  abc............
    stream 1  .AAAAAABBBB....
    stream 2  ...........CCCC
    BC = d2h
  )");
  REQUIRE(held(program, "B C") == Lines{"B stream-order A 5", "C copy-engine B 8"});
}

TEST_CASE("engines of two devices do not wait for each other") {
  const Program program(R"(
    thread 1                      ab.......
    stream 1                      .AAAA....
    stream 12 context 2 device 1  .....BBBB
    AB = h2d
  )");
  REQUIRE(held(program, "B") == Lines{"B launch-overhead host 2 + 1 unexplained"});
}

// Copies between devices go side by side: they take no engine in turn.
TEST_CASE("an engine that was seen to run several ops at once has room for all") {
  const Program program(R"(
    thread 1  abc.........
    stream 1  .AAAAAA.....
    stream 2  ..BBBBBB....
    stream 3  ........CCCC
    ABC = peer
  )");
  REQUIRE(held(program, "C") == Lines{"C launch-overhead host 3 + 3 unexplained"});
}

TEST_CASE("a kernel waits for the one whose end made room for it") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAAA...
    stream 2  ......BBB
    AB = fills 100
  )");
  REQUIRE(held(program, "B") == Lines{"B sm-saturated A 4"});
}

TEST_CASE("where there was room the multiprocessors are not to blame") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAA.....
    stream 2  ......BBB
    AB = fills 50
  )");
  REQUIRE(held(program, "B") == Lines{"B launch-overhead host 2 + 2 unexplained"});
}

TEST_CASE("a kernel of many waves lets another one in when its last blocks have started") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAAAAA.
    stream 2  ......BBB
    A = fills 300
    B = fills 10
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(held(program, "B") == Lines{"B sm-saturated A 4"});
  REQUIRE(graph.tasks[test::task_of(program, graph, "A")].lets_in == 2 * program.unit);
}

TEST_CASE("a kernel that got in at once beside one of many waves was not held up by it") {
  const Program program(R"(
    thread 1  a...b...
    stream 1  .AAAAAAA
    stream 2  .....BB.
    A = fills 300
    B = fills 10
  )");
  REQUIRE(held(program, "B") == Lines{"B host-compute host 5"});
}

TEST_CASE("of a kernel without a shape nothing is said") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAAA...
    stream 2  ......BBB
    A = fills 100
  )");
  REQUIRE(held(program, "B") == Lines{"B launch-overhead host 2 + 2 unexplained"});
}

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
  // C: the engine was free at 5, the event happened at 8.
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

// What the thread did, while it had not issued B. A runs in a stream of its own, so that only the
// host holds B up.

TEST_CASE("the host waited for the device, a stream or an event") {
  const auto wait = [](const std::string& function) {
    return Program(R"(
      thread 1  arssssssb..
      stream 1  .AAAAAA....
      stream 2  .........BB
      r = cudaEventRecord, stream 1, event 1
      s = )" + function);
  };
  for (const char* function : {"cudaDeviceSynchronize", "cudaStreamSynchronize, stream 1",
                               "cudaEventSynchronize, event 1", "cuCtxSynchronize"}) {
    INFO(function);
    const Program program = wait(function);
    REQUIRE(held(program, "B") == Lines{"B host-sync host 9"});
    REQUIRE(test::wait_of(program, graph_of(program.trace), "s") == "host-sync A");
  }
}

TEST_CASE("the host asked again and again whether an event had happened") {
  const Program program(R"(
    thread 1  arpqpqpqb..
    stream 1  .AAAAAA....
    stream 2  .........BB
    r = cudaEventRecord, stream 1, event 1
    pq = cudaEventQuery, event 1
  )");
  REQUIRE(held(program, "B") == Lines{"B host-sync host 9"});
  REQUIRE(test::wait_of(program, graph_of(program.trace), "p") == "host-sync A");
}

TEST_CASE("a blocking copy kept the thread") {
  const Program program(R"(
    thread 1  mmmmmmb..
    legacy 7  .MMMMM...
    stream 2  .......BB
    m = cudaMemcpy
    M = h2d
  )");
  REQUIRE(held(program, "B") == Lines{"B host-sync host 7"});
  REQUIRE(test::wait_of(program, graph_of(program.trace), "m") == "host-sync M");
}

TEST_CASE("an asynchronous copy of pageable memory kept the thread") {
  const Program program(R"(
    thread 1  mmmmmmb..
    stream 1  .MMMMM...
    stream 2  .......BB
    M = h2d, pageable
  )");
  REQUIRE(held(program, "B") == Lines{"B pageable-copy host 7"});
  REQUIRE(test::wait_of(program, graph_of(program.trace), "m") == "pageable-copy M");
}

TEST_CASE("memory was allocated, or released behind all running work") {
  const Program allocates(R"(
    thread 1  ammmmmb..
    stream 1  .AAAAAAAA
    stream 2  .......BB
    m = cudaMalloc
  )");
  REQUIRE(held(allocates, "B") == Lines{"B alloc-free host 7"});
  REQUIRE(test::wait_of(allocates, graph_of(allocates.trace), "m") == "alloc-free");
  const Program releases(R"(
    thread 1  affffffb..
    stream 1  .AAAAAA...
    stream 2  ........BB
    f = cudaFree
  )");
  REQUIRE(held(releases, "B") == Lines{"B alloc-free host 8"});
  REQUIRE(test::wait_of(releases, graph_of(releases.trace), "f") == "alloc-free A");
}

TEST_CASE("page-locked memory was allocated, or released behind all running work") {
  const Program allocates(R"(
    thread 1  ammmmmb..
    stream 1  .AAAAAAAA
    stream 2  .......BB
    m = cudaHostAlloc
  )");
  REQUIRE(held(allocates, "B") == Lines{"B host-pinning host 7"});
  REQUIRE(test::wait_of(allocates, graph_of(allocates.trace), "m") == "host-pinning");
  const Program releases(R"(
    thread 1  affffffb..
    stream 1  .AAAAAA...
    stream 2  ........BB
    f = cudaFreeHost
  )");
  REQUIRE(held(releases, "B") == Lines{"B host-pinning host 8"});
  REQUIRE(test::wait_of(releases, graph_of(releases.trace), "f") == "host-pinning A");
}

TEST_CASE("code was loaded by a call of its own") {
  const Program program(R"(
    thread 1  almmmmb..
    stream 1  .AA......
    stream 2  .......BB
    l = cuModuleLoadData
    m = cuModuleLoadData
  )");
  REQUIRE(held(program, "B") == Lines{"B module-load host 7"});
}

TEST_CASE("each launch waited for its kernel") {
  const Program program(R"(
    thread 1  aaaaaabbbb
    stream 1  .AAAAA....
    stream 2  .......BBB
  )");
  // A call that waits has handed its kernel over within 5 us: the rest is the way to the GPU.
  REQUIRE(held(program, "B") == Lines{"B launch-blocking host 6.5"});
  const Graph graph = graph_of(program.trace);
  REQUIRE(test::wait_of(program, graph, "a") == "launch-blocking A");
  REQUIRE(test::wait_of(program, graph, "b") == "launch-blocking B");
}

TEST_CASE("launching took longer than what was launched") {
  const Program program(R"(
    thread 1  aaabbb.
    stream 1  ...A..B
  )");
  REQUIRE(held(program, "B") == Lines{"B launch-overhead host 2"});
}

TEST_CASE("the thread was outside CUDA") {
  const Program program(R"(
    thread 1  a......b.
    stream 1  .AA.....B
  )");
  REQUIRE(held(program, "B") == Lines{"B host-compute host 5"});
}

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

//   thread 1   a.a.a. ...
//   stream 1   .AAAAAAAAA     one more starts every other character, and none ends before
//   stream 2   ...AAAAAAA     the last has started
TEST_CASE("of kernels beyond what a GPU runs at once the shape counts as not known") {
  constexpr std::size_t kernels = 140;
  constexpr std::size_t length = 2 * kernels + 5;
  std::string calls(length, '.');
  std::string drawing;
  for (std::size_t i = 0; i < kernels; ++i) {
    calls[2 * i] = 'a';
    const std::string before(2 * i + 1, '.');
    drawing += "stream " + std::to_string(i + 1) + ' ' + before +
               std::string(length - before.size(), 'A') + '\n';
  }
  const Program program("thread 1 " + calls + '\n' + drawing + "A = fills 1\n");
  const Graph graph = graph_of(program.trace);
  REQUIRE(graph.tasks.size() == kernels);
  for (std::size_t t = 0; t < kernels; ++t) {
    REQUIRE((graph.tasks[t].geometry != no_index) == (t < 128));
  }
}

}  // namespace
}  // namespace lapscope::analyzer

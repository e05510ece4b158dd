#include "analyzer/graph/waits.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

using test::step_of;
using test::wait_of;

TEST_CASE("waiting for a device is waiting for all streams of the context, not of others") {
  const Program program(R"(
    thread 1                      abcssssss
    stream 1                      .AAAAAA..
    stream 2                      ..BBBBBBB
    stream 12 context 2 device 1  ...CCC...
    s = cudaDeviceSynchronize
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "s") == "host-sync A B");
}

TEST_CASE("waiting for an event that was never recorded is waiting for nothing") {
  const Program program(R"(
    thread 1  aqb.....
    stream 1  .AAAAAA.
    stream 2  ...BBBBB
    q = cudaEventQuery, event 1
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "q") == "host-sync");
}

TEST_CASE("a query that says no has waited for nothing") {
  const Program program(R"(
    thread 1  aqb......
    stream 1  .AAAAAA..
    stream 2  ...BBBBB.
    q = cudaStreamQuery, stream 1
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "q") == "host-sync");
}

TEST_CASE("what had ended before the call is waited for, too: after a change it may last") {
  const Program program(R"(
    thread 1  a.....s..
    stream 1  .AAA.....
    s = cudaStreamSynchronize, stream 1
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(wait_of(program, graph, "s") == "host-sync A");
  REQUIRE(step_of(program, graph, "s").busy == program.unit);
}

TEST_CASE("a release that returned while work went on did not wait for it") {
  const Program program(R"(
    thread 1  aff......
    stream 1  .AAAAAA..
    f = cudaFree
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free");
}

TEST_CASE("a release waits for the work of all threads of its process, and of no other one") {
  const Program program(R"(
    thread 1            a.fffff.
    thread 2            .b......
    thread 1 process 2  .c......
    stream 1            .AAA....
    stream 2            ..BBBB..
    stream 3 process 2  ..CCC...
    f = cudaFree
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free A B");
}

TEST_CASE("of calls that began in the same nanosecond none waited for what the other issued") {
  const Program program(R"(
    thread 1  affffff.
    thread 2  .b......
    stream 1  .AAA....
    stream 2  ..BBBB..
    f = cudaFree
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free A");
}

TEST_CASE("a module is loaded behind running work only when something ended meanwhile") {
  const Program waits(R"(
    thread 1  ammmmmm
    stream 1  .AAAA..
    m = cuModuleLoadData
  )");
  REQUIRE(wait_of(waits, graph_of(waits.trace), "m") == "module-load A");
  const Program does_not(R"(
    thread 1  a....mm
    stream 1  .AAA...
    m = cuModuleLoadData
  )");
  REQUIRE(wait_of(does_not, graph_of(does_not.trace), "m") == "module-load");
}

TEST_CASE("an asynchronous copy of page-locked memory waits for nothing") {
  const Program program(R"(
    thread 1  mb.....
    stream 1  .MMMMM.
    stream 2  ..BBBBB
    M = h2d
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "m") == "launch-overhead");
}

// The driver took the data over when A had ended and the stream got to the copy.
TEST_CASE("a blocking copy that returns before its copy ends waited for its stream to get there") {
  const Program program(R"(
    thread 1  ammmmmm...
    legacy 7  .AAAA.MMMM
    m = cudaMemcpy
    M = h2d, pageable
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "m") == "pageable-copy A");
}

TEST_CASE("a short kernel that ends within its launch was not waited for") {
  const Program program(R"(
    thread 1  aaabbb...
    stream 1  .A..BBBBB
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "a") == "launch-overhead");
}

TEST_CASE("with launches that block, copies block too") {
  const Program program(R"(
    thread 1  aaaaaamm..mmm
    stream 1  .AAAAA.M...M.
    M = h2d
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "m") == "launch-blocking M");
}

TEST_CASE("from the end of what it waited for to its own a call takes a while") {
  const Program program(R"(
    thread 1  assssss
    stream 1  .AAAA..
    s = cudaDeviceSynchronize
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(step_of(program, graph, "s").tail == 2 * program.unit);
}

TEST_CASE("waiting for the legacy stream is waiting for all blocking streams of its context") {
  const Program program(R"(
    thread 1              abcdssssss..
    blocking 1            .AAAAAAA....
    legacy 7              .............
    stream 2              ..BBBBBBB...
    blocking 21 context 2 ...CCCCC....
    blocking 3            ....DDD.....
    s = cudaStreamSynchronize, stream 7
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "s") == "host-sync A D");
}

TEST_CASE(
    "waiting for a blocking stream is waiting for what it got, behind the legacy stream's work") {
  const Program program(R"(
    thread 1    absssssss.
    legacy 7    .AAAA.....
    blocking 1  .....BBB..
    s = cudaStreamSynchronize, stream 1
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "s") == "host-sync B");
  // There is nothing in it that would have to wait for A.
  const Program empty(R"(
    thread 1    assssss.
    legacy 7    .AAAA...
    blocking 1  ........
    s = cudaStreamSynchronize, stream 1
  )");
  REQUIRE(wait_of(empty, graph_of(empty.trace), "s") == "host-sync");
}

TEST_CASE("an event that was recorded in the legacy stream stands for all blocking streams") {
  const Program program(R"(
    thread 1    arbsssss..
    blocking 1  .AAAAA....
    blocking 2  ...BBBBBBB
    legacy 7    ..........
    r = cudaEventRecord, stream 7, event 1
    s = cudaEventSynchronize, event 1
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "s") == "host-sync A");
}

// B runs in a stream of CUDA's own, and the launch has not ended before it has.
TEST_CASE("waiting for a stream is waiting for all branches of a graph that was launched to it") {
  const Program program(R"(
    thread 1  gsssssss.
    stream 1  .AA......
    stream 9  ..BBBBB..
    AB = by g
    s = cudaStreamSynchronize, stream 1
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "s") == "host-sync B");
}

TEST_CASE("an event that was recorded behind a graph stands for its branches") {
  const Program program(R"(
    thread 1  grssssss.
    stream 1  .AA......
    stream 9  ..BBBBB..
    AB = by g
    r = cudaEventRecord, stream 1, event 1
    s = cudaEventSynchronize, event 1
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "s") == "host-sync B");
}

// q asks for A and says no twice, then yes; p asks for B, and gets its yes at the end.
TEST_CASE("events that are polled in turn are waited for together, until the last answer is yes") {
  const Program program(R"(
    thread 1  arbsqpqpqpqpc..
    stream 1  .AAAAAA........
    stream 2  ...BBBBBBBB....
    stream 3  .............CC
    r = cudaEventRecord, stream 1, event 1
    s = cudaEventRecord, stream 2, event 2
    q = cudaEventQuery, event 1
    p = cudaEventQuery, event 2
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(wait_of(program, graph, "q") == "host-sync A B");
  const Step& poll = step_of(program, graph, "q");
  REQUIRE(poll.start == 4 * program.unit);
  REQUIRE(poll.end == 12 * program.unit);
}

// The question for A was answered no, and not asked again: that A ended meanwhile is chance.
TEST_CASE("a question that another poll follows is not part of that one") {
  const Program program(R"(
    thread 1  arbsqpppppppc..
    stream 1  .AAAAAA........
    stream 2  ...BBBBBBBB....
    stream 3  .............CC
    r = cudaEventRecord, stream 1, event 1
    s = cudaEventRecord, stream 2, event 2
    q = cudaEventQuery, event 1
    p = cudaEventQuery, event 2
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(wait_of(program, graph, "q") == "host-sync");
  REQUIRE(step_of(program, graph, "q").end == 5 * program.unit);
  REQUIRE(wait_of(program, graph, "p") == "host-sync B");
}

TEST_CASE("a query without a record has waited for nothing that is known") {
  Program program(R"(
    thread 1  aqqqqqb.
    stream 1  .AAAA...
    stream 2  .......B
    q = cudaEventQuery, event 1
  )");
  program.trace.synchronizations.clear();
  REQUIRE(wait_of(program, graph_of(program.trace), "q") == "host-sync");
}

TEST_CASE("a release waits for the device of which something ended, when others went on") {
  const Program program(R"(
    thread 1                      abc.ffff...
    stream 1                      .AAAAAA....
    stream 12 context 2 device 1  ..BBBBBBBBB
    stream 23 context 3 device 2  ...C.......
    f = cudaFree
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free A");
}

TEST_CASE("a release names what came since the thread released last: it comes after that one") {
  const Program program(R"(
    thread 1  afff.bhhh...
    thread 2  ..........iii
    stream 1  .AA.........
    stream 2  ......BB....
    fhi = cudaFree
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(wait_of(program, graph, "f") == "alloc-free A");
  REQUIRE(wait_of(program, graph, "h") == "alloc-free B");
  REQUIRE(wait_of(program, graph, "i") == "alloc-free A B");
}

TEST_CASE("a release in the order of a stream waits for nothing") {
  const Program program(R"(
    thread 1  affff.
    stream 1  .AAA..
    f = cudaFreeAsync
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free");
}

}  // namespace
}  // namespace lapscope::analyzer

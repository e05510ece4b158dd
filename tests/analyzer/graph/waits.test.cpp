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

}  // namespace
}  // namespace lapscope::analyzer

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

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
  REQUIRE(step_of(program, graph, "s").call_overhead == program.unit);
}

TEST_CASE("if two calls began in the same nanosecond, neither waited for an op of the other call") {
  const Program program(R"(
    thread 1  affffff.
    thread 2  .b......
    stream 1  .AAA....
    stream 2  ..BBBB..
    f = cudaFree
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "f") == "alloc-free A");
}

// The driver waits for the end of A, copies the data of M to its own memory, and returns from m.
TEST_CASE("if a blocking copy call returned before its copy ended, it waited for the op ahead") {
  const Program program(R"(
    thread 1  ammmmmm...
    legacy 7  .AAAA.MMMM
    m = cudaMemcpy
    M = h2d, pageable
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "m") == "pageable-copy A");
}

TEST_CASE("the return latency is the time from the end of the awaited op to the end of the call") {
  const Program program(R"(
    thread 1  assssss
    stream 1  .AAAA..
    s = cudaDeviceSynchronize
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(step_of(program, graph, "s").return_latency == 2 * program.unit);
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
  // No op of stream 1 waits for A.
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

// B runs in an internal stream of CUDA. The graph launch ends with B.
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

// q queries the event behind A: A has ended at the third q. p queries the event behind B: B has
// ended at the last p.
TEST_CASE("if a thread queries two events by turns, all queries together are one wait for both") {
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
  const Interval& poll = test::time_of(program, graph, "q");
  REQUIRE(poll.start == 4 * program.unit);
  REQUIRE(poll.end == 12 * program.unit);
}

// q queries the event behind A once, and gets cudaErrorNotReady. All later queries are for B. By
// chance, A ends during these queries.
TEST_CASE("a single query is not part of a poll that follows for another event") {
  const Program program(R"(
    thread 1  arbsqpwpwpwpc..
    stream 1  .AAAAAA........
    stream 2  ...BBBBBBBB....
    stream 3  .............CC
    r = cudaEventRecord, stream 1, event 1
    s = cudaEventRecord, stream 2, event 2
    q = cudaEventQuery, event 1
    pw = cudaEventQuery, event 2
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(wait_of(program, graph, "q") == "host-sync");
  REQUIRE(test::time_of(program, graph, "q").end == 5 * program.unit);
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

TEST_CASE("a thread that polls may make other calls that issue nothing") {
  for (const char* function : {"cudaGetLastError", "cudaGetDevice", "cudaSetDevice"}) {
    INFO(function);
    const Program program(R"(
      thread 1  arqgqgqgqbg
      stream 1  .AAAAAA....
      stream 2  ..........B
      r = cudaEventRecord, stream 1, event 1
      q = cudaEventQuery, event 1
      g = )" + std::string(function));
    const Graph graph = graph_of(program.trace);
    CHECK(test::wait_of(program, graph, "q") == "host-sync A");
    CHECK(test::time_of(program, graph, "q").length() == 7 * program.unit);
  }
}

// The call g takes longer than the query before it.
TEST_CASE("a thread that works in a call between two queries does not poll") {
  const Program program(R"(
    thread 1  arqggggq.b..
    stream 1  .AAAAA......
    stream 2  ..........BB
    r = cudaEventRecord, stream 1, event 1
    q = cudaEventQuery, event 1
    g = cudaMemGetInfo
  )");
  CHECK(test::time_of(program, graph_of(program.trace), "q").length() == program.unit);
}

// The thread launches B before the answer is "yes", so it does not wait for this answer.
TEST_CASE("a thread that issues work between two queries does not poll") {
  const Program program(R"(
    thread 1  arq.b..q..
    stream 1  .AAAAA....
    stream 2  .....BBB..
    r = cudaEventRecord, stream 1, event 1
    q = cudaEventQuery, event 1
  )");
  CHECK(test::time_of(program, graph_of(program.trace), "q").length() == program.unit);
}

// An allocator asks once whether a freed block is ready. Then it goes on, also if the block is not
// ready.
TEST_CASE("a thread that never repeats a query does not wait in it") {
  const Program program(R"(
    thread 1  ar.....qb.
    stream 1  .AAAA.....
    stream 2  ........BB
    r = cudaEventRecord, stream 1, event 1
    q = cudaEventQuery, event 1
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "q") == "host-sync");
}

TEST_CASE("a query whose first answer is yes is a poll if its event is polled elsewhere") {
  const auto wait = [](const std::string& event) {
    const Program program(R"(
      thread 1  arqtqtqb.......s...pd.
      stream 1  .AAAAA................
      stream 2  ........BBBBB.........
      stream 3  .....................D
      r = cudaEventRecord, stream 1, event 1
      qt = cudaEventQuery, event 1
      s = cudaEventRecord, stream 2, event )" +
                          event + R"(
      p = cudaEventQuery, event )" +
                          event);
    return wait_of(program, graph_of(program.trace), "p");
  };
  CHECK(wait("1") == "host-sync B");
  CHECK(wait("2") == "host-sync");
}

TEST_CASE("a query whose first answer is yes is a poll if its line polls elsewhere") {
  const auto wait = [](const std::string& line) {
    const Program program(R"(
      thread 1  arqtqtqb.......s...pd.
      stream 1  .AAAAA................
      stream 2  ........BBBBB.........
      stream 3  .....................D
      r = cudaEventRecord, stream 1, event 1
      qt = cudaEventQuery, event 1, at wait.cpp:7
      s = cudaEventRecord, stream 2, event 2
      p = cudaEventQuery, event 2, at wait.cpp:)" +
                          line);
    return wait_of(program, graph_of(program.trace), "p");
  };
  CHECK(wait("7") == "host-sync B");
  CHECK(wait("8") == "host-sync");
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

}  // namespace
}  // namespace lapscope::analyzer

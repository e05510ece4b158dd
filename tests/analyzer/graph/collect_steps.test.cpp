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

std::string after(const Program& program, const Graph& graph, std::string_view call) {
  const Step& step = test::step_of(program, graph, call);
  if (step.after == no_index) return "nobody";
  return program.calls[graph.steps[step.after].call] + ' ' +
         test::length_of(program, step.after_gap);
}

TEST_CASE("the thread that was active last makes a new thread, and joins this thread") {
  const Program program(R"(
    thread 1  ab.......c.
    thread 2  ...d..e....
    stream 1  .AABB.....C
    stream 2  ....D..E...
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(after(program, graph, "d") == "b 1");
  REQUIRE(after(program, graph, "c") == "e 2");
  REQUIRE(after(program, graph, "e") == "nobody");
  // Thread 1 computes from the end of b to the start of d. From then to c, thread 1 waits for
  // thread 2.
  REQUIRE(test::step_of(program, graph, "c").gap == program.unit);
}

TEST_CASE("a thread that joins two threads waits for the thread that ends last") {
  const Program program(R"(
    thread 1  a..........b
    thread 2  ..c..d......
    thread 3  ...e....f...
    stream 1  .A..........
    stream 2  ...C..D.....
    stream 3  ....E....F..
    stream 4  ...........B
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(after(program, graph, "b") == "f 2");
}

TEST_CASE("a thread that goes on while the other one works does not join it") {
  const Program program(R"(
    thread 1  ab...c.....
    thread 2  ...d....e..
    stream 1  .AABB.CC...
    stream 2  ....D....E.
  )");
  REQUIRE(after(program, graph_of(program.trace), "c") == "nobody");
}

TEST_CASE("threads of two processes do not make or join each other") {
  const Program program(R"(
    thread 1            a......b
    thread 1 process 2  ..c..d..
    stream 1            .A.....B
    stream 2 process 2  ...C..D.
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(after(program, graph, "c") == "nobody");
  REQUIRE(after(program, graph, "b") == "nobody");
}

TEST_CASE("of a thread that begins alone, the time before is its own") {
  const Program program(R"(
    thread 1  .a..
    thread 2  b...
    stream 1  ..AA
    stream 2  .BBB
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(graph.begin == 0);
  REQUIRE(test::step_of(program, graph, "b").gap == 0);
  REQUIRE(after(program, graph, "a") == "b 0");
}

TEST_CASE("only calls that were made in the stretch are taken, with what they issued") {
  const Program program(R"(
    thread 1  a.b.c..
    stream 1  .A.BBCC
  )");
  const Graph graph = build_graph(program.trace, {program.unit, 4 * program.unit});
  REQUIRE(graph.steps.size() == 1);
  REQUIRE(graph.tasks.size() == 1);
  REQUIRE(test::name_of(program, graph, 0) == "B");
  REQUIRE(graph.begin == 2 * program.unit);
}

}  // namespace
}  // namespace lapscope::analyzer

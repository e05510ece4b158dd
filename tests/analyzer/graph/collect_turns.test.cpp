#include <string>

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Program;

std::string times(int count, std::string_view part) {
  std::string all;
  for (int i = 0; i < count; ++i) all += part;
  return all;
}

// Draws `count` turns of two threads, one after the other:
//
//   thread 1  asss......
//   thread 2  .....bttt.
//   stream 1  .AA.......
//   stream 2  ......BB..
std::string turns(int count, std::string_view more) {
  return "thread 1 " + times(count, "asss......") + "\nthread 2 " + times(count, ".....bttt.") +
         "\nstream 1 " + times(count, ".AA.......") + "\nstream 2 " + times(count, "......BB..") +
         "\ns = cudaStreamSynchronize, stream 1\nt = cudaStreamSynchronize, stream 2\n" +
         std::string(more);
}

// Returns the third step among the calls with this letter.
const Step& third(const Program& program, const Graph& graph, std::string_view call) {
  int left = 3;
  for (const Step& step : graph.steps) {
    if (program.calls[step.call] == call && --left == 0) return step;
  }
  FAIL("there are no three calls " << call);
  return graph.steps[0];
}

std::string waited_for(const Program& program, const Graph& graph, std::string_view call) {
  const Step& step = third(program, graph, call);
  if (!step.waits_for_turn()) return "nobody";
  return std::string(step.after_kind == After::lock ? "lock " : "turn ") +
         program.calls[graph.steps[step.after].call] + ' ' +
         test::length_of(program, step.after_gap);
}

Cause cause_of(const Program& program, const Graph& graph, std::string_view op) {
  return test::cause_of(program, graph, test::task_of(program, graph, op));
}

TEST_CASE("threads of which none makes a call while the other is in one wait for each other") {
  const Program program(turns(8, "AB = named step"));
  const Graph graph = graph_of(program.trace);
  CHECK(waited_for(program, graph, "a") == "lock t 1");
  CHECK(waited_for(program, graph, "b") == "lock s 1");
  // Without the wait for the other thread, the gap is one character.
  CHECK(third(program, graph, "a").gap == program.unit);
  CHECK(waited_for(program, graph, "s") == "nobody");
  CHECK(cause_of(program, graph, "A3") == Cause::lock);
}

TEST_CASE("where they do other work, what one did is why the other waited") {
  const Program program(turns(8, "A = named forward\nB = named backward"));
  const Graph graph = graph_of(program.trace);
  CHECK(waited_for(program, graph, "a") == "turn t 1");
  CHECK(cause_of(program, graph, "A3") == Cause::host_sync);
}

TEST_CASE("of few calls nobody knows whether they would be in calls at once by chance") {
  const Program program(turns(3, "AB = named step"));
  CHECK(waited_for(program, graph_of(program.trace), "a") == "nobody");
}

TEST_CASE("threads that are in calls at once do not wait for each other") {
  const Program program("thread 1 " + times(8, "asss......") + "\nthread 2 " +
                        times(8, "..bttt....") + "\nstream 1 " + times(8, ".AA.......") +
                        "\nstream 2 " + times(8, "...BB.....") +
                        "\ns = cudaStreamSynchronize, stream 1\n"
                        "t = cudaStreamSynchronize, stream 2\nAB = named step");
  CHECK(waited_for(program, graph_of(program.trace), "a") == "nobody");
}

TEST_CASE("a time between calls that is shorter than a thread needs to wake up is its own") {
  const Program program(turns(8, "AB = named step"), 2'000);
  CHECK(waited_for(program, graph_of(program.trace), "a") == "nobody");
}

}  // namespace
}  // namespace lapscope::analyzer

#include "analyzer/fixes/recurring.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Program;

// Returns a character for each call: 'm' if the call recurs, 'g' if only the host time before the
// call recurs, or '-'.
std::string recurring(const Program& program) {
  const Graph graph = graph_of(program.trace);
  const Recurring known(program.trace, graph);
  std::string text;
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    text += known.call(s) ? 'm' : known.gap(s) && graph.steps[s].gap > 0 ? 'g' : '-';
  }
  return text;
}

TEST_CASE("calls with work of the device between them are a loop from the third on") {
  REQUIRE(recurring(Program(R"(
    thread 1  mambmc...
    stream 1  ..A.B.C..
    m = cudaMalloc
  )")) == "m-m-m-");
  REQUIRE(recurring(Program(R"(
    thread 1  mamb...
    stream 1  ..A.B..
    m = cudaMalloc
  )")) == "----");
}

TEST_CASE("several calls in a row do not recur") {
  REQUIRE(recurring(Program(R"(
    thread 1  m.m.m.m.a...
    stream 1  .........AA.
    m = cudaMalloc
  )")) == "-----");
}

// The first call m takes 6 characters. The three later calls m take 1 character each.
TEST_CASE("a call that takes far longer than the calls in the loop does not recur") {
  REQUIRE(recurring(Program(R"(
    thread 1  mmmmmmambmcmd...
    stream 1  .......A.B.C.D.
    m = cudaMalloc
  )")) == "--m-m-m-");
}

TEST_CASE("the time between two functions recurs if the same two functions recur") {
  REQUIRE(recurring(Program(R"(
    thread 1  a..b..c..d.........e...
    stream 1  .A..B..C..D.........EE.
  )")) == "-ggg-");
}

}  // namespace
}  // namespace lapscope::analyzer

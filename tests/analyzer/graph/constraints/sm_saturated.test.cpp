#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

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
  REQUIRE(graph.lengths[test::task_of(program, graph, "A")].last_wave_overlap == 2 * program.unit);
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

TEST_CASE("a wait for a kernel without a shape is not explained") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAAA...
    stream 2  ......BBB
    A = fills 100
  )");
  REQUIRE(held(program, "B") == Lines{"B launch-overhead host 2 + 2 unexplained"});
}

// 140 kernels run at the same time, but a GPU runs at most 128 at once. So the trace is wrong.
//
//   thread 1   a.a.a. ...
//   stream 1   .AAAAAAAAA
//   stream 2   ...AAAAAAA
TEST_CASE("if more than 128 kernels run at once, the shapes of the surplus kernels are dropped") {
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

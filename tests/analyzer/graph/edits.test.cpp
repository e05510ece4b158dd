#include "analyzer/graph/edits.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;

TEST_CASE("an engine that is twice as fast takes half as long, and no other one does") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAABBBB
    A = h2d
  )");
  Graph graph = graph_of(program.trace);
  graph = edited(scale_engine(Engine::h2d, 2, graph));
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 3", "B 3 to 7"});
  graph = edited(scale_engine(Engine::compute, 4, graph));
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 3", "B 3 to 4"});
}

TEST_CASE("a kernel that takes half as long lets others in for half as long") {
  const Program program(R"(
    thread 1  ab............
    stream 1  .AAAAAAAA.....
    stream 2  ......BBBB....
    A = fills 150
    B = fills 10
  )");
  Graph graph = graph_of(program.trace);
  const Lengths a = graph.lengths[test::task_of(program, graph, "A")];
  REQUIRE(a.last_wave_overlap == 3 * program.unit);
  const std::int64_t all_resident = a.all_resident;
  graph = edited(scale_engine(Engine::compute, 2, graph));
  const Lengths faster = graph.lengths[test::task_of(program, graph, "A")];
  REQUIRE(2 * faster.last_wave_overlap == 3 * program.unit);
  REQUIRE(2 * faster.all_resident == all_resident);
}

TEST_CASE("a faster device communicates faster once all ranks have started") {
  const Program program(R"(
    thread 1                      acb........
    stream 1                      .AAAAAAAAA.
    stream 12 context 2 device 1  ..CCCBBBBBB
    AB = named ncclDevKernel_AllReduce
  )");
  Graph graph = graph_of(program.trace);
  graph = edited(scale_engine(Engine::compute, 2, graph));
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 6", "B 3.5 to 6.5", "C 2 to 3.5"});
}

}  // namespace
}  // namespace lapscope::analyzer

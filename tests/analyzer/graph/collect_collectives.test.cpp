#include <map>

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::length_of;
using test::Lines;
using test::Program;

// Returns the kernels of each collective, such as "A 6/5, B 6/5". In this example, Lengths::work of
// each kernel is 6 characters, and Rank::after_last is 5 characters.
Lines collectives(const Program& program) {
  const Graph graph = graph_of(program.trace);
  Lines lines;
  for (const CollectiveRanks& collective : graph.collectives) {
    std::string line;
    for (std::uint32_t r = collective.first; r < collective.first + collective.count; ++r) {
      const Rank& rank = graph.ranks[r];
      REQUIRE(graph.tasks[rank.task].rank == r);
      line += (line.empty() ? "" : ", ") + test::name_of(program, graph, rank.task) + ' ' +
              length_of(program, graph.lengths[rank.task].work) + '/' +
              length_of(program, rank.after_last);
    }
    lines.push_back(line);
  }
  return lines;
}

// B starts last and takes 6 characters. A ends 5 characters after the start of B.
TEST_CASE("a collective takes as long as the rank that starts last") {
  REQUIRE(collectives(Program(R"(
    thread 1                      acb........
    stream 1                      .AAAAAAAAA.
    stream 12 context 2 device 1  ..CCCBBBBBB
    AB = named ncclDevKernel_AllReduce
  )")) == Lines{"A 6/5, B 6/5"});
}

TEST_CASE("collectives of a name follow each other in the same order on all devices") {
  REQUIRE(collectives(Program(R"(
    thread 1                      abcdef.........
    stream 1                      .AAAAA.CCC.EEE.
    stream 12 context 2 device 1  ..BBBB.DDD.FFF.
    ABEF = named ncclDevKernel_AllReduce
    CD = named ncclDevKernel_AllGather
  )")) == Lines{"A 4/4, B 4/4", "E 3/3, F 3/3", "C 3/3, D 3/3"});
}

TEST_CASE("a communicator is a stream of each device, by its first collective") {
  REQUIRE(collectives(Program(R"(
    thread 1                      abcd.......
    stream 1                      .AAAAA.....
    stream 12 context 2 device 1  ..BBBB.....
    stream 2                      ...CCCCCC..
    stream 13 context 2 device 1  ....DDDDD..
    ABCD = named ncclDevKernel_AllReduce
  )")) == Lines{"A 4/4, B 4/4", "C 5/5, D 5/5"});
}

TEST_CASE("a kernel that ended before another one started is of another collective") {
  REQUIRE(collectives(Program(R"(
    thread 1                      a...b.......
    stream 1                      .AAA........
    stream 12 context 2 device 1  .....BBB....
    AB = named ncclDevKernel_AllReduce
  )"))
              .empty());
}

TEST_CASE("of what no peer is known, nothing is said") {
  SECTION("a send or receive may be anybody's") {
    REQUIRE(collectives(Program(R"(
      thread 1                      ab....
      stream 1                      .AAA..
      stream 12 context 2 device 1  ..BBB.
      AB = named ncclDevKernel_SendRecv
    )"))
                .empty());
  }
  SECTION("one device has more of them") {
    REQUIRE(collectives(Program(R"(
      thread 1                      abc......
      stream 1                      .AAACCC..
      stream 12 context 2 device 1  ..BBB....
      ABC = named ncclDevKernel_AllReduce
    )"))
                .empty());
  }
  SECTION("the others are processes with traces of their own") {
    REQUIRE(collectives(Program(R"(
      thread 1                                a.....
      thread 2 process 2                      .b....
      stream 1                                .AAA..
      stream 12 process 2 context 2 device 1  ..BBB.
      AB = named ncclDevKernel_AllReduce
    )"))
                .empty());
  }
  SECTION("other kernels do not communicate") {
    REQUIRE(collectives(Program(R"(
      thread 1                      ab....
      stream 1                      .AAA..
      stream 12 context 2 device 1  ..BBB.
      AB = named gemm
    )"))
                .empty());
  }
}

}  // namespace
}  // namespace lapscope::analyzer

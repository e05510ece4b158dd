#include "analyzer/graph/constraints/small_copies.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::Lines;
using test::Program;

// Returns the copies of each row, such as "BCD".
Lines rows(const Program& program) {
  const Graph graph = graph_of(program.trace);
  Lines lines;
  for (const CopyRun& run : small_copy_runs(program.trace, graph, graph.times)) {
    std::string& line = lines.emplace_back();
    for (const std::uint32_t t : run.tasks) line += test::name_of(program, graph, t);
  }
  return lines;
}

// Each small copy takes 10 us. At the rate of L, its bytes would take only 0.6 us.
TEST_CASE("small copies in a row wait for the one before") {
  const Program program(R"(
    thread 1  lbcde.....
    stream 1  .LLLLBCDE.
    L = h2d, bytes 2097152
    BCDE = h2d, bytes 32768
  )");
  REQUIRE(rows(program) == Lines{"BCDE"});
  const Graph graph = graph_of(program.trace);
  REQUIRE(edges_to(program, graph, "B") == Lines{"L stream-order"});
  REQUIRE(edges_to(program, graph, "C") == Lines{"B small-copies", "B stream-order"});
}

TEST_CASE("copies that take their time for their bytes are not small, whatever they are called") {
  REQUIRE(rows(Program(R"(
    thread 1  lbcde.....
    stream 1  .LLLLBCDE.
    L = h2d, bytes 2097152
    BCDE = h2d, bytes 300000
  )"))
              .empty());
}

TEST_CASE("two copies are no row") {
  REQUIRE(rows(Program(R"(
    thread 1  lbc.......
    stream 1  .LLLLBC...
    L = h2d, bytes 2097152
    BC = h2d, bytes 32768
  )"))
              .empty());
}

TEST_CASE("a wait of the thread, another op, another thread or another direction ends a row") {
  const auto of = [](std::string_view lanes) {
    return rows(Program(std::string(lanes) + R"(
      L = h2d, bytes 2097152
      BCDEFG = h2d, bytes 32768
      UVW = d2h, bytes 32768
    )"));
  };
  CHECK(of(R"(
      thread 1  lbcdsefg.....
      stream 1  .LLLLBCDEFG..
      s = cudaStreamSynchronize, stream 2)") == Lines{"BCD", "EFG"});
  CHECK(of(R"(
      thread 1  lbcdkefg......
      stream 1  .LLLLBCDKEFG..)") == Lines{"BCD", "EFG"});
  CHECK(of(R"(
      thread 1  lbcd..........
      thread 2  ....efg.......
      stream 1  .LLLLBCDEFG...)") == Lines{"BCD", "EFG"});
  CHECK(of(R"(
      thread 1  lbcduvw.......
      stream 1  .LLLLBCDUVW...)") == Lines{"BCD", "UVW"});
}

TEST_CASE("what the thread puts into other streams does not end the row") {
  REQUIRE(rows(Program(R"(
    thread 1  lbkcld.......
    stream 1  .LLLLB.C.D...
    stream 2  ....KKKK.....
    L = h2d, bytes 2097152, by l
    BCD = h2d, bytes 32768
  )"))
              .size() == 1);
}

TEST_CASE("pageable copies and copies that wait on purpose are not told") {
  const auto of = [](std::string_view said) {
    return rows(Program(R"(
      thread 1  lbcde.....
      stream 1  .LLLLBCDE.
      L = h2d, bytes 2097152
      BCDE = h2d, bytes 32768)" +
                        std::string(said)));
  };
  CHECK(of("").size() == 1);
  CHECK(of(", pageable").empty());
  CHECK(of("\nbcde = cudaMemcpy").empty());
}

TEST_CASE("without a large copy or a link nobody knows what small ones take too long") {
  Program program(R"(
    thread 1  bcde.....
    stream 1  .BCDE....
    BCDE = h2d, bytes 32768
  )");
  REQUIRE(rows(program).empty());
  program.trace.devices[0].links.host = 63'000'000'000;
  REQUIRE(rows(program) == Lines{"BCDE"});
}

}  // namespace
}  // namespace lapscope::analyzer

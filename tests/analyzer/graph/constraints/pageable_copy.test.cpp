#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::held;
using test::Lines;
using test::Program;
using test::wait_of;

TEST_CASE("an asynchronous copy of page-locked memory waits for nothing") {
  const Program program(R"(
    thread 1  mb.....
    stream 1  .MMMMM.
    stream 2  ..BBBBB
    M = h2d
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "m") == "launch-overhead");
}

TEST_CASE("an asynchronous copy of pageable memory kept the thread") {
  const Program program(R"(
    thread 1  mmmmmmb..
    stream 1  .MMMMM...
    stream 2  .......BB
    M = h2d, pageable
  )");
  REQUIRE(held(program, "B") == Lines{"B pageable-copy host 7"});
  REQUIRE(test::wait_of(program, graph_of(program.trace), "m") == "pageable-copy M");
}

}  // namespace
}  // namespace lapscope::analyzer

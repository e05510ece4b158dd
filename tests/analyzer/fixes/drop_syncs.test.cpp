#include <algorithm>

#include "analyzer/fixes/fix.h"
#include "analyzer/replay/replay.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;
using test::replayed_wall;

// A call that does not wait takes 5 us, half a character.
TEST_CASE("a thread that does not wait goes on with its calls") {
  const Program program(R"(
    thread 1  asssssb..
    stream 1  .AAAAA...
    stream 2  .......BB
    s = cudaDeviceSynchronize
  )");
  REQUIRE(replayed(program, fixed(program, "host-sync")) == Lines{"A 1 to 6", "B 2.5 to 4.5"});
}

// An unrecorded reason delayed A until 6. It may have delayed B as well, so the fix starts B no
// earlier than at 6.
TEST_CASE("ops that are issued earlier do not start before the first op of the device") {
  const Program program(R"(
    thread 1  assssssssssb...
    stream 1  ......AAAAA....
    stream 2  ............BBB
    s = cudaDeviceSynchronize
    A = h2d
  )");
  REQUIRE(replayed(program, fixed(program, "host-sync")) == Lines{"A 6 to 11", "B 6 to 9"});
}

TEST_CASE("a blocking copy becomes an asynchronous one outside the default stream") {
  const Program program(R"(
    thread 1    ammmmmmmmb....
    blocking 1  .AAAA.........
    legacy 7    .....MMMM.....
    blocking 2  ..........BBBB
    m = cudaMemcpy
    M = h2d
  )");
  const Graph graph = fixed(program, "host-sync");
  REQUIRE(edges_to(program, graph, "M").empty());
  REQUIRE(edges_to(program, graph, "B").empty());
  // Without its wait, m ends at 1.5, and M starts at once.
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 5", "B 2.5 to 6.5", "M 1.5 to 5.5"});
}

// In the recording, s waits for A, t for B, and u for C. With "host-sync:1", t waits for A, and u
// waits for B. s waits for nothing, and takes 1 character, like a launch.
TEST_CASE("if waits are moved by one, each wait is for the ops of the previous wait") {
  const Program program(R"(
    thread 1  assssbttttcuuuud..
    stream 1  .AAAA.............
    stream 2  ......BBBB........
    stream 3  ...........CCCC...
    stream 4  ................DD
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
    u = cudaDeviceSynchronize
  )");
  const Lines together = replayed(program, fixed(program, "host-sync"));
  const Lines one = replayed(program, fixed(program, "host-sync:1"));
  REQUIRE(together == Lines{"A 1 to 5", "B 3 to 7", "C 5 to 9", "D 7 to 9"});
  REQUIRE(one == Lines{"A 1 to 5", "B 3 to 7", "C 6 to 10", "D 8 to 10"});
  // Each wait moves to the place of the third wait after it. No such place exists, so no wait
  // remains.
  REQUIRE(replayed(program, fixed(program, "host-sync:3")) == together);
}

TEST_CASE("moving waits further makes the program shorter, and dropping them makes it shortest") {
  const Program program(R"(
    thread 1  assssbttttcuuuud..
    stream 1  .AAAA.BBBB.CCCC.DD
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
    u = cudaDeviceSynchronize
  )");
  const auto end = [](const Graph& graph) {
    std::int64_t last = 0;
    for (const Interval& task : replay(graph).tasks) last = std::max(last, task.end);
    return last;
  };
  const std::int64_t one = end(fixed(program, "host-sync:1"));
  const std::int64_t two = end(fixed(program, "host-sync:2"));
  REQUIRE(end(fixed(program, "host-sync")) <= two);
  REQUIRE(two <= one);
  REQUIRE(one < end(graph_of(program.trace)));
}

}  // namespace
}  // namespace lapscope::analyzer

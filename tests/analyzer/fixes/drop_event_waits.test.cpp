#include "analyzer/fixes/fix.h"
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
using test::where_shown;

// B waits for the end of A at 7. The trace shows no latency from the host to a kernel.
constexpr const char* waits_for = R"(
    thread 1  arwb......
    stream 1  .AAAAAA...
    stream 2  .......BBB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
)";

TEST_CASE("a kernel need not wait for a copy to the host") {
  const Program program(std::string(waits_for) + "A = d2h");
  REQUIRE(replayed(program, fixed(program, "event-wait")) == Lines{"A 1 to 7", "B 4 to 7"});
}

TEST_CASE("waits that look like data stay, unless all are to go") {
  for (const char* data : {"A = h2d", "", "B = d2h"}) {
    INFO(data);
    const Program program(std::string(waits_for) + data);
    REQUIRE(edges_to(program, fixed(program, "event-wait"), "B") == Lines{"A event-wait"});
    REQUIRE(edges_to(program, fixed(program, "event-wait:1"), "B").empty());
  }
}

TEST_CASE("copies need nothing of each other") {
  for (const char* copies : {"AB = h2d", "AB = d2h", "A = h2d\nB = d2h"}) {
    INFO(copies);
    const Program program(std::string(waits_for) + copies);
    REQUIRE(edges_to(program, fixed(program, "event-wait"), "B").empty());
  }
}

TEST_CASE("of several waits of an op the longest one goes") {
  const Program program(R"(
    thread 1  arbswvc......
    stream 1  .AAAAAA......
    stream 2  ..BBBBBBBB...
    stream 3  ..........CCC
    r = cudaEventRecord, stream 1, event 1
    s = cudaEventRecord, stream 2, event 2
    w = cudaStreamWaitEvent, stream 3, event 1
    v = cudaStreamWaitEvent, stream 3, event 2
  )");
  REQUIRE(edges_to(program, fixed(program, "event-wait"), "C") == Lines{"A event-wait"});
}

// Each tile has its own stream, but its copy H waits for an event behind the previous tile.
TEST_CASE("waits for events are removed if each tile has a stream of its own") {
  const Program program(std::string(R"(
    thread 1  hkdrwhkdsvhkd.............
    stream 1  .HHKKDD...................
    stream 2  .......HHKKDD.............
    stream 3  .............HHKKDD.......
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    s = cudaEventRecord, stream 2, event 2
    v = cudaStreamWaitEvent, stream 3, event 2
  )") + "H = h2d, bytes 1000\nD = d2h, bytes 1000");
  const Graph graph = where_shown(program, "event-wait").value();
  REQUIRE(edges_to(program, graph, "H2").empty());
  REQUIRE(edges_to(program, graph, "H3").empty());
}

// A copy to the host needs no earlier copy to the device. But a copy to the device, or a kernel,
// may overwrite the buffer that an earlier copy to the host reads.
TEST_CASE(
    "a copy to the host need not wait for a copy to the device, but the reverse is not known") {
  const auto is_shown = [](const char* copies) {
    return where_shown(Program(std::string(waits_for) + copies), "event-wait").has_value();
  };
  REQUIRE_FALSE(is_shown("A = d2h\nB = h2d"));
  REQUIRE_FALSE(is_shown("A = d2h"));
  REQUIRE(is_shown("A = h2d\nB = d2h"));
}

}  // namespace
}  // namespace lapscope::analyzer

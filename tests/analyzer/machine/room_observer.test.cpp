#include "analyzer/machine/room_observer.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::held;
using test::length_of;
using test::Lines;
using test::Program;

std::string work_of(const Program& program, std::string_view name) {
  const Graph graph = graph_of(program.trace);
  return length_of(program, graph.lengths[test::task_of(program, graph, name)].work);
}

// Returns the kernels that had room for only some of their blocks, and why: "B beside A".
Lines crowded(const Program& program) {
  const Graph graph = graph_of(program.trace);
  Lines lines;
  for (const Crowding& pair : graph.crowded) {
    lines.push_back(test::name_of(program, graph, pair.kernel) + " beside " +
                    test::name_of(program, graph, pair.holder));
  }
  return lines;
}

// A occupies half of the device. Half of B's blocks start at 3. The other half start when A ends,
// at 5, and end at 11. So each block of B takes 6.
TEST_CASE("blocks that waited for another kernel begin at the end of that kernel") {
  const Program program(R"(
    thread 1  ab.........
    stream 1  .AAAA......
    stream 2  ...BBBBBBBB
    A = fills 50
    B = fills 100
  )");
  REQUIRE(work_of(program, "B") == "6");
  REQUIRE(crowded(program) == Lines{"B beside A"});
}

// B's first blocks end at 7, and A ends at 9 or later. So B's other blocks took the room of B's
// first blocks: B consists of two rounds of 4. With room for all blocks, B takes only one round.
TEST_CASE("a kernel whose blocks ran in two rounds takes half the time with enough room") {
  const Program ends_before(R"(
    thread 1  ab..........
    stream 1  .AAAAAAAA...
    stream 2  ...BBBBBBBB.
    A = fills 50
    B = fills 100
  )");
  REQUIRE(work_of(ends_before, "B") == "4");
  const Program ends_after(R"(
    thread 1  ab............
    stream 1  .AAAAAAAAAAAA.
    stream 2  ...BBBBBBBB...
    A = fills 50
    B = fills 100
  )");
  REQUIRE(work_of(ends_after, "B") == "4");
}

// At first, B takes room from A. The rest of A's blocks start at 4.
TEST_CASE("a kernel of higher priority takes its room from one that starts at the same time") {
  const Program program(R"(
    thread 1              ab............
    stream 1              .AAAAAAAAA....
    stream 2 priority -1  .BBB..........
    A = fills 100
    B = fills 10
  )");
  REQUIRE(crowded(program) == Lines{"A beside B"});
  REQUIRE(work_of(program, "A") == "6");
  const Graph graph = graph_of(program.trace);
  REQUIRE(graph.lengths[test::task_of(program, graph, "A")].last_wave_overlap == 0);
}

// C leaves half of the device free, and B needs only a tenth. But B starts only when C ends,
// although B was ready when C started.
TEST_CASE("a kernel that starts when another kernel ends was kept out, even if there was room") {
  const Program program(R"(
    thread 1  arwcb.........
    stream 1  .AAAACCCCCC...
    stream 2  ...........BBB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    B = fills 10
    C = fills 50
  )");
  REQUIRE(held(program, "B") == Lines{"B sm-saturated C 6"});
  const Graph graph = graph_of(program.trace);
  REQUIRE(graph.kept_out.size() == 1);
  REQUIRE(graph.kept_out[0].kernel == graph.tasks[test::task_of(program, graph, "B")].geometry);
  REQUIRE(graph.kept_out[0].holder == graph.tasks[test::task_of(program, graph, "C")].geometry);
}

TEST_CASE("a kernel that starts long before or after the end of another kernel was not kept out") {
  for (const char* stream : {"........BBB...", ".............B"}) {
    const Program program(std::string(R"(
    thread 1  arwcb.........
    stream 1  .AAAACCCCCC...
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    B = fills 10
    C = fills 50
    stream 2  )") + stream);
    INFO(stream);
    REQUIRE(graph_of(program.trace).kept_out.empty());
  }
}

// The first launch of B starts when C ends. The second launch of B runs beside C. So C does not
// keep B out.
TEST_CASE("a kernel that ran beside another kernel is not kept out by that kernel") {
  const Program program(R"(
    thread 1  arwcb......cb..........
    stream 1  .AAAACCCCCC..CCCCCC....
    stream 2  ...........B...BB......
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    B = fills 10
    C = fills 50
  )");
  REQUIRE(held(program, "B") == Lines{"B sm-saturated C 6"});
  REQUIRE(graph_of(program.trace).kept_out.empty());
}

// The first launch of C keeps B out. The second launch of C begins beside B. D has the shape of B,
// begins when B ends, and runs beside the second launch of C. But D may run in the room that B had.
// So D does not show that C leaves room for this shape.
TEST_CASE("a kernel that may run in the room of an ended kernel does not show other free room") {
  const Program program(R"(
    thread 1  arwcb.....dc...........
    stream 1  .AAAACCCCCC.CCCCCC.....
    stream 2  ...........BBBDD.......
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    BD = fills 10
    C = fills 50
  )");
  REQUIRE(graph_of(program.trace).kept_out.size() == 1);
}

// Returns the kernels for which Lengths::is_room_seen is true.
Lines with_seen_room(const Program& program) {
  const Graph graph = graph_of(program.trace);
  Lines lines;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (graph.lengths[t].is_room_seen) lines.push_back(test::name_of(program, graph, t));
  }
  return lines;
}

double spare_of(const Program& program, std::string_view name) {
  const Graph graph = graph_of(program.trace);
  return graph.uses[graph.tasks[test::task_of(program, graph, name)].geometry].spare;
}

// A has 1.5 waves. The last wave takes half of A's time and half of the device. The room that it
// leaves counts as a quarter of A's time.
constexpr const char* in_two_streams = R"(
    thread 1  ab............
    A = fills 150
    B = fills 10
    stream 1  .AAAAAAAA.....
)";

TEST_CASE("a kernel that waits until another one ends shows that its last wave leaves nothing") {
  const Program program(std::string(in_two_streams) + "stream 2  .........BBBB.");
  REQUIRE(with_seen_room(program) == Lines{"A"});
  REQUIRE(spare_of(program, "A") == 0);
}

TEST_CASE("a kernel that starts before another one ends shows what its last wave leaves") {
  const Program program(std::string(in_two_streams) + "stream 2  ......BBBB....");
  const Graph graph = graph_of(program.trace);
  REQUIRE(with_seen_room(program) == Lines{"A"});
  REQUIRE(graph.lengths[test::task_of(program, graph, "A")].last_wave_overlap == 3 * program.unit);
  REQUIRE(spare_of(program, "A") == 0.25);  // no recorded kernel waited for A
}

// B was issued after three quarters of A, too late to show anything about A's last wave.
TEST_CASE("a kernel that comes late shows nothing of the last wave of another one") {
  const Program program(R"(
    thread 1  a.......b.....
    stream 1  .AAAAAAAA.....
    stream 2  .........BBBB.
    A = fills 150
    B = fills 10
  )");
  REQUIRE(spare_of(program, "A") == 0.25);
}

// B starts at the end of the copy C. Without C, B could perhaps have started earlier.
TEST_CASE("a kernel that did not wait shows only that it had room at its start") {
  const Program beside(R"(
    thread 1  acb...........
    stream 1  .AAAAAAAA.....
    stream 2  ..CCCCBBBB....
    A = fills 150
    B = fills 10
    C = h2d
  )");
  const Graph graph = graph_of(beside.trace);
  REQUIRE(with_seen_room(beside).empty());
  REQUIRE(graph.lengths[test::task_of(beside, graph, "A")].last_wave_overlap == 3 * beside.unit);
  const Program behind(R"(
    thread 1  acb...........
    stream 1  .AAAAAAAA.....
    stream 2  ..CCCCCC.BBBB.
    A = fills 150
    B = fills 10
    C = h2d
  )");
  REQUIRE(with_seen_room(behind).empty());
  REQUIRE(spare_of(behind, "A") == 0.25);
}

TEST_CASE("of kernels that nobody waits for nothing is seen") {
  const Program program(R"(
    thread 1  ab............
    stream 1  .AAAABBBB.....
    AB = fills 150
  )");
  REQUIRE(with_seen_room(program).empty());
  REQUIRE(spare_of(program, "A") == 0.25);
}

}  // namespace
}  // namespace lapscope::analyzer

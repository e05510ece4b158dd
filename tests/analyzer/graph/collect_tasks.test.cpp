#include "analyzer/graph/build_graph.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

const Task& task(const Program& program, const Graph& graph, std::string_view name) {
  return graph.tasks[test::task_of(program, graph, name)];
}

std::uint32_t stream_id(const Program& program, const Graph& graph, std::string_view name) {
  return graph.streams[task(program, graph, name).stream].id;
}

// CUDA numbers its internal streams directly after the null stream, which has the number 17. So
// stream 18 is an internal stream. Stream 1 is the stream to which thread 1 issued its last op.
TEST_CASE("a copy between devices in an internal stream counts for the thread's last stream") {
  const Program program(R"(
    thread 1                      am......
    stream 1                      .AAA....
    legacy 17 context 2 device 1  ........
    stream 18 context 2 device 1  ....MMMM
    M = peer, to 1
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(stream_id(program, graph, "M") == 1);
  REQUIRE(held(program, "M") == Lines{"M stream-order A 2"});
}

TEST_CASE("a copy between devices in a stream that the program made stays in this stream") {
  const Program program(R"(
    thread 1  am......
    stream 1  .AAA....
    stream 2  ....MMMM
    M = peer, to 1
  )");
  REQUIRE(stream_id(program, graph_of(program.trace), "M") == 2);
}

TEST_CASE("a kernel stays in its stream, even with the number of an internal stream") {
  const Program program(R"(
    thread 1  am......
    stream 1  .AAA....
    legacy 7  ........
    stream 8  ....MMMM
  )");
  REQUIRE(stream_id(program, graph_of(program.trace), "M") == 8);
}

TEST_CASE("tasks are in the order of their issue, whatever started first") {
  const Program program(R"(
    thread 1  .b...
    thread 2  a....
    stream 1  ....A
    stream 2  ..BB.
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(test::name_of(program, graph, 0) == "A");
  REQUIRE(test::name_of(program, graph, 1) == "B");
}

TEST_CASE("a launch hands its task over when it returns, or when the task started before that") {
  const Program program(R"(
    thread 1  aaaabbbb..
    stream 1  ..AA......
    stream 2  .........B
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(graph.issue_offsets[test::task_of(program, graph, "A")] == 2 * program.unit);
  REQUIRE(graph.issue_offsets[test::task_of(program, graph, "B")] == 4 * program.unit);
}

// When the call d begins, A has ended, B runs and C is queued.
constexpr const char* queued_before = R"(
    thread 1  abc..d..e.....
    stream 1  .AAABBBBBCCDDD
    stream 2  ...........EE.
)";

TEST_CASE("the graph of a stretch has earlier ops that have not ended when it begins") {
  const Program program(queued_before);
  const Graph graph = build_graph(program.trace, {4 * program.unit, latest_time});
  REQUIRE(graph.steps.size() == 2);
  REQUIRE(graph.begin == 5 * program.unit);
  REQUIRE(test::recorded(program, graph) ==
          Lines{"B 4 to 9", "C 9 to 11", "D 11 to 14", "E 11 to 13"});
  REQUIRE(held(program, graph, "D") == Lines{"D stream-order C 5"});
  REQUIRE(test::replayed(program, graph) == test::recorded(program, graph));
}

TEST_CASE("an event that was recorded before the stretch holds what waits for it") {
  const Program program(R"(
    thread 1  arw....b.....
    stream 1  .AAAAAAAAA...
    stream 2  ..........BBB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  const Graph graph = build_graph(program.trace, {7 * program.unit, latest_time});
  REQUIRE(held(program, graph, "B") == Lines{"B event-wait A 2"});
}

TEST_CASE("what was issued before the stretch takes part in no collective") {
  const Program program(R"(
    thread 1                      ab...cd......
    stream 1                      .AAAAAAAACCCC
    stream 12 context 2 device 1  ..BB.....DDDD
    ABCD = named ncclDevKernel_AllReduce
  )");
  const Graph graph = build_graph(program.trace, {5 * program.unit, latest_time});
  REQUIRE(graph.tasks.size() == 3);
  REQUIRE(graph.collectives.size() == 1);
  REQUIRE(task(program, graph, "A").rank == no_index);
  REQUIRE(task(program, graph, "C").rank != no_index);
}

TEST_CASE("an op without a call that runs before the first call leaves the calls where they were") {
  const Program program(R"(
    thread 1  ....a...
    stream 1  ..XX.AAA
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(graph.begin == 2 * program.unit);
  REQUIRE(test::replayed(program, graph) == test::recorded(program, graph));
}

TEST_CASE("the names that the user gives say which kernels communicate") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAA.....
    stream 2  .....BBBB
    A = named ring_exchange
    B = named ncclDevKernel_AllReduce
  )");
  const Names& names = program.trace.names;
  const auto communicating = [&](const std::vector<std::string>& patterns) {
    const Graph graph =
        build_graph(program.trace, {0, latest_time + 1}, communication_names(names, patterns));
    return std::pair(graph.tasks[0].communicates, graph.tasks[1].communicates);
  };
  REQUIRE(communicating(default_communication_patterns()) == std::pair(false, true));
  REQUIRE(communicating({"ring_*"}) == std::pair(true, false));
}

}  // namespace
}  // namespace lapscope::analyzer

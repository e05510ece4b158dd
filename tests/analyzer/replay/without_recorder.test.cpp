#include "analyzer/replay/without_recorder.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "collector/schema/call_cost_kinds.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/analyzer/support/random_trace.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;
namespace kind = schema::call_cost;

using test::graph_of;
using test::Lines;
using test::Program;

std::optional<Graph> without(const Trace& trace, const Graph& graph) {
  return without_recorder(trace.call_costs, charges_of(trace, trace.call_costs, graph), graph);
}
std::optional<Graph> without(const Trace& trace) { return without(trace, graph_of(trace)); }

// Sets the time that recording adds to kinds of calls, in characters of 10 us.
void set_costs(Program& program, std::initializer_list<std::pair<std::string_view, double>> costs) {
  program.trace.call_costs.created = "2026-11-22T14:00:00Z";
  for (const auto& [name, length] : costs) {
    program.trace.call_costs.ns.insert_or_assign(
        std::string(name), static_cast<std::int64_t>(length * static_cast<double>(program.unit)));
  }
}

// Returns when each op would have run without the recorder.
Lines corrected(const Program& program) {
  const auto run = without(program.trace);
  REQUIRE(run);
  return test::recorded(program, *run);
}

// Calls check(trace) for random traces and for recorded traces.
void for_traces(unsigned seeds, const std::function<void(Trace&)>& check) {
  for (unsigned seed = 0; seed < test::rounds(seeds); ++seed) {
    std::mt19937 random(seed);
    Trace trace = test::random_trace(random, 10);
    INFO("seed " << seed);
    check(trace);
  }
  for (const auto& entry : fs::directory_iterator(LAPSCOPE_TEST_TRACES)) {
    if (entry.path().extension() != ".sqlite") continue;
    INFO(entry.path().filename());
    Trace trace = read_trace(entry.path());
    check(trace);
  }
}

TEST_CASE("every kind of call that is calibrated is a kind of the analyzer") {
  for (const std::string_view name : kind::of_calls) {
    bool is_known = false;
    for (int i = 0; i <= static_cast<int>(CallKind::other); ++i) {
      is_known |= name_of(static_cast<CallKind>(i)) == name;
    }
    CHECK(is_known);
  }
}

TEST_CASE("a trace without calibration is not corrected") {
  const Program program(R"(
    thread 1  aaabbbccc...
    stream 1  ..AA.BB.CCCC
  )");
  const Graph graph = graph_of(program.trace);
  CHECK(charges_of(program.trace, program.trace.call_costs, graph).empty());
  CHECK_FALSE(without(program.trace, graph));
}

TEST_CASE(
    "a chain that is bound by launches gets shorter by exactly the time that recording adds to "
    "them") {
  Program program(R"(
    thread 1  aaaabbbbcccc....
    stream 1  ....A...B...CCCC
  )");
  set_costs(program, {{kind::launch, 2}});
  CHECK(corrected(program) == Lines{"A 2 to 3", "B 4 to 5", "C 6 to 10"});
}

TEST_CASE("a chain that is bound by the device keeps its times") {
  Program program(R"(
    thread 1  aaabbbccc...........
    stream 1  ..AAAAAABBBBBBCCCCCC
  )");
  set_costs(program, {{kind::launch, 1}});
  CHECK(corrected(program) == Lines{"A 2 to 8", "B 8 to 14", "C 14 to 20"});
}

// An op starts at the end of the op before it, because the trace shows no latency between ops.
TEST_CASE("if the corrected host is ahead, the ops of the device delay each other") {
  Program program(R"(
    thread 1  aaaabbbbcccc....
    stream 1  ....AAA.BBB.CCCC
  )");
  set_costs(program, {{kind::launch, 3}});
  CHECK(corrected(program) == Lines{"A 1 to 4", "B 4 to 7", "C 7 to 11"});
  CHECK(test::held(program, *without(program.trace), "B C") ==
        Lines{"B stream-order A 2", "C stream-order B 4"});
}

TEST_CASE("the correction takes off at most a call and the time behind it") {
  Program program(R"(
    thread 1  qqqqqqqqqq..........b..
    stream 1  ....................BBB
    q = cudaEventQuery
  )");
  set_costs(program, {{kind::query, 12}});
  CHECK(corrected(program) == Lines{"B 8 to 11"});
  set_costs(program, {{kind::query, 1000}});
  CHECK(corrected(program) == Lines{"B 0 to 3"});
}

// Call a is the first call of its thread. Call b follows without a pause. Call d follows 3 ms
// later.
TEST_CASE("recording adds more to a call of a thread that paused") {
  const std::initializer_list<std::pair<std::string_view, double>> costs = {
      {kind::launch, 1}, {kind::copy_async, 1}, {kind::memset, 1}, {kind::cold_call, 3}};
  const std::string pause(300, '.');
  Program program("\n    thread 1  aaaabbbb" + pause + "dddd.\n    stream 1  ....A...B..." + pause +
                  "D\n");
  set_costs(program, costs);
  CHECK(corrected(program) == Lines{"A 1 to 2", "B 4 to 5", "D 305 to 306"});

  Program waits(R"(
    thread 1  aaaassssssssssssbbbb.
    stream 1  ....AAAAAAAAAAA.....B
    s = cudaDeviceSynchronize
  )");
  set_costs(waits, costs);
  CHECK(corrected(waits) == Lines{"A 1 to 12", "B 16 to 17"});
}

// The recorder takes the stack of a call before CUPTI notes the begin of the call. The stacks
// delayed b by 2 characters and s by 1 character.
TEST_CASE("the time for the stack of a call is taken off the time before the call") {
  Program program(R"(
    thread 1  aa...bb.sssssss.cc.
    stream 1  ..A....BBBBBBB....C
    s = cudaDeviceSynchronize
  )");
  set_costs(program, {{kind::launch, 0}});
  program.trace.stacks.set_captures({{1, 2 * program.unit}, {2, program.unit}});
  CHECK(corrected(program) == Lines{"A 2 to 3", "B 5 to 12", "C 16 to 17"});
}

// The wait ends with A. Only the time after the end of A gets shorter, by at most the cost of the
// call.
TEST_CASE("a wait for the device is shortened by no more than its cost") {
  Program program(R"(
    thread 1  assssssssssss.b..
    stream 1  .AAAAAAAAA.....BB
    s = cudaDeviceSynchronize
  )");
  set_costs(program, {{kind::synchronize, 2}});
  CHECK(corrected(program) == Lines{"A 1 to 10", "B 13 to 15"});
}

TEST_CASE("opening and closing NVTX ranges costs time between calls") {
  Program program(R"(
    thread 1  a....b....c.
    stream 1  .A....B....C
  )");
  const std::int64_t tid = program.trace.calls.threads.front().global_tid;
  program.trace.ranges.push_back({{2 * program.unit, 8 * program.unit}, tid});
  set_costs(program, {{kind::nvtx_range, 4}});
  CHECK(corrected(program) == Lines{"A 1 to 2", "B 4 to 5", "C 7 to 8"});
}

// Recording adds 2 characters for B and 2 for C: one before the node starts, and one while the node
// runs.
TEST_CASE("nodes of a graph get shorter by the time that recording added to them") {
  Program program(R"(
    thread 1  gg.................
    stream 1  ..AAAA.BBBB.CCCC...
    B = by g, after A
    C = by g, after B
    A = by g
  )");
  set_costs(program, {{kind::graph_node_on_device, 2}, {kind::launch, 0}});
  CHECK(corrected(program) == Lines{"A 2 to 6", "B 6 to 9", "C 9 to 12"});
}

// Recording adds time on the GPU before each copy that was enqueued while the copy engine was busy.
TEST_CASE("the gap before a copy gets shorter by the time that recording added to the gap") {
  Program program(R"(
    thread 1  abcd..............
    stream 1  .AAA..BBB..KKK..DD
    a = cudaMemcpyAsync
    b = cudaMemcpyAsync
    d = cudaMemcpyAsync
    K = by c
    AB = h2d, bytes 4096
    D = d2h, bytes 4096
  )");
  set_costs(program, {{kind::copy_on_device, 2}});
  CHECK(corrected(program) == Lines{"A 1 to 4", "B 4 to 7", "D 12 to 14", "K 9 to 12"});
}

// If a small copy waits for the small copy ahead, the cause of this wait is small-copies.
TEST_CASE("the gap before a small copy gets shorter by the time that recording added to the gap") {
  Program program(R"(
    thread 1  lbcde.............
    stream 1  .LL....B..C..D..EE
    L = h2d, bytes 1048576
    BCDE = h2d, bytes 32768
  )");
  set_costs(program, {{kind::copy_on_device, 2}});
  CHECK(corrected(program) == Lines{"B 5 to 6", "C 6 to 7", "D 7 to 8", "E 8 to 10", "L 1 to 3"});
}

// The calibration measures only copies that wait for a kernel, or for another copy of the same
// direction. A and B wait for the host. D waits for B, which has the opposite direction.
TEST_CASE("the time before other copies does not change") {
  Program program(R"(
    thread 1  a....b..........
    stream 1  ..AAA..BBB..DD..
    a = cudaMemcpyAsync
    b = cudaMemcpyAsync
    D = by b
    AB = h2d, bytes 4096
    D = d2h, bytes 4096
  )");
  set_costs(program, {{kind::copy_on_device, 1}});
  CHECK(corrected(program) == Lines{"A 2 to 5", "B 7 to 10", "D 12 to 14"});
}

TEST_CASE("a calibration that found nothing changes nothing, to the nanosecond") {
  for_traces(100, [](Trace& trace) {
    trace.call_costs.ns = {{"launch", 0}, {"query", 0}};
    const Graph graph = graph_of(trace);
    const auto run = without(trace, graph);
    REQUIRE(run);
    REQUIRE(run->tasks.size() == graph.tasks.size());
    for (std::size_t t = 0; t < graph.tasks.size(); ++t) {
      REQUIRE(run->times.tasks[t] == graph.times.tasks[t]);
      REQUIRE(run->bindings[t].cause == graph.bindings[t].cause);
      REQUIRE(run->bindings[t].from == graph.bindings[t].from);
      REQUIRE(run->bindings[t].lag == graph.bindings[t].lag);
    }
    for (std::size_t s = 0; s < graph.steps.size(); ++s) {
      REQUIRE(run->times.steps[s] == graph.times.steps[s]);
    }
  });
}

TEST_CASE("without the recorder calls keep their order, and ops their length") {
  for_traces(100, [](Trace& trace) {
    trace.call_costs.ns = {{"launch", 1'351},
                           {"query", 494},
                           {"graph-launch", 3'000},
                           {"graph-node", 1'250},
                           {"graph-node-on-device", 300}};
    const Graph graph = graph_of(trace);
    const auto run = without(trace, graph);
    REQUIRE(run);
    for (const ThreadSteps& thread : graph.threads) {
      for (std::uint32_t s = thread.first; s < thread.last; ++s) {
        const Interval& step = run->times.steps[s];
        REQUIRE(step.start <= step.end);
        if (s > thread.first) REQUIRE(run->times.steps[s - 1].end <= step.start);
      }
    }
    for (const Interval& task : run->times.tasks) REQUIRE(task.start <= task.end);
  });
}

}  // namespace
}  // namespace lapscope::analyzer

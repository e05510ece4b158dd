#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <random>
#include <set>
#include <utility>

#include "analyzer/graph/sharing.h"
#include "analyzer/replay/replay.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/analyzer/support/random_trace.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"

// Laws of the replay, on random traces and on the recorded ones.
namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;

using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;
using test::without_edges;

// Calls check(graph) for random traces, each at five lengths of time.
void for_random_graphs(unsigned seeds, const std::function<void(const Graph&)>& check) {
  for (unsigned seed = 0; seed < test::rounds(seeds); ++seed) {
    std::mt19937 random(seed);
    Trace trace = test::random_trace(random, 1);
    for (const std::int64_t factor : {1, 10, 5, 5, 4}) {
      test::stretch_times(trace, factor);
      INFO("seed " << seed << ", last factor " << factor);
      check(graph_of(trace));
    }
  }
}

void for_recorded_graphs(const std::function<void(const Graph&)>& check) {
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(LAPSCOPE_TEST_TRACES)) {
    if (entry.path().extension() != ".sqlite") continue;
    INFO(entry.path().filename());
    check(graph_of(read_trace(entry.path())));
    ++seen;
  }
  REQUIRE(seen > 50);
}

std::int64_t last_end(const Graph& graph) {
  const Replayed times = replay(graph);
  return times.end.empty() ? 0 : *std::max_element(times.end.begin(), times.end.end());
}

// Calls check(what, graph) for the graph without each cause of edges, and without each host wait.
void for_removals(const Graph& graph,
                  const std::function<void(const std::string&, const Graph&)>& check) {
  std::set<Cause> causes;
  for (const Edge& edge : graph.edges) causes.insert(edge.cause);
  for (const Cause cause : causes) {
    const auto goes = [cause](const Edge& edge) { return edge.cause == cause; };
    check(std::string(code_of(cause)), without_edges(graph, goes));
  }
  Graph changed = graph;
  for (Step& step : changed.steps.edit()) {
    if (step.wait_count == 0) continue;
    const std::uint32_t waits = std::exchange(step.wait_count, 0);
    check("the wait of a call", changed);
    step.wait_count = waits;
  }
}

void let_all_engines_run_anything(Graph& graph) {
  for (EngineTraits& traits : graph.traits) traits.exclusive.fill(false);
  for (Task& task : graph.tasks.edit()) task.geometry = no_index;
}

void require_not_stuck_and_the_same_again(const Graph& graph) {
  const Replayed once = replay(graph);
  const Replayed again = replay(graph);
  REQUIRE(once.stuck == 0);
  REQUIRE(once.start == again.start);
  REQUIRE(once.end == again.end);
  REQUIRE(once.step_end == again.step_end);
  for (std::size_t t = 0; t < once.start.size(); ++t) REQUIRE(once.start[t] <= once.end[t]);
}

TEST_CASE("every task and every call of a random trace gets its turn, each time the same") {
  for_random_graphs(200, require_not_stuck_and_the_same_again);
}

TEST_CASE("every task and every call of a recorded trace gets its turn, each time the same") {
  for_recorded_graphs(require_not_stuck_and_the_same_again);
}

TEST_CASE("where engines have room for all, removing a constraint never makes a program slower") {
  for_random_graphs(50, [](Graph graph) {
    let_all_engines_run_anything(graph);
    const std::int64_t before = last_end(graph);
    for_removals(graph, [before](const std::string& what, const Graph& changed) {
      INFO("without " << what);
      REQUIRE(last_end(changed) <= before);
    });
  });
}

// With engines that run one op at a time this is no law: who comes first may be the wrong one.
// Without its wait C takes the engine just before B needs it, and D waits for B.
//
//   as recorded   AAAAAAABBBBDDDDDD      without the wait   AAAAAAA...BBBBDDDDDD
//                            CCCC                                 CCCC
TEST_CASE("in front of an engine a program may get slower by waiting for less") {
  const Program program(R"(
    thread 1  arwbd.c...........
    stream 1  .AAAAAAABBBBDDDDDD
    stream 2  ............CCCC..
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    BC = h2d
  )");
  Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 8", "B 8 to 12", "C 12 to 16", "D 12 to 18"});
  graph = without_edges(graph, [](const Edge& edge) { return edge.cause == Cause::event_wait; });
  REQUIRE(replayed(program, graph) ==
          Lines{"A 1 to 8", "B 11.2 to 15.2", "C 7.2 to 11.2", "D 15.2 to 21.2"});
}

TEST_CASE("of no recorded trace removing a cause, or a wait of the host, makes the replay slower") {
  for_recorded_graphs([](const Graph& graph) {
    const std::int64_t before = last_end(graph);
    for_removals(graph, [before](const std::string& what, const Graph& changed) {
      INFO("without " << what);
      REQUIRE(last_end(changed) <= before);
    });
  });
}

// What kernels do to each other changes what their times were worth, and not when they ran: to the
// nanosecond where the replay gives the recorded times. Where it leaves delays out that nothing
// explains, kernels are beside others than they were.
TEST_CASE("a recorded trace replays to the same times, whatever its kernels may share") {
  std::size_t exact = 0;
  std::size_t in_doubt = 0;
  for_recorded_graphs([&](Graph graph) {
    const Replayed recorded = recorded_times(graph);
    const Replayed least = replay(graph);
    assume(Sharing::most, graph);
    const Replayed most = replay(graph);
    REQUIRE(most.stuck == 0);
    const auto wall = [](const Replayed& times) {
      const auto last = std::max_element(times.end.begin(), times.end.end());
      const auto first = std::min_element(times.start.begin(), times.start.end());
      return last == times.end.end() ? 0.0 : static_cast<double>(*last - *first);
    };
    CHECK(std::abs(wall(most) - wall(least)) <= 0.005 * wall(least));
    if (least.end != recorded.end) return;
    CHECK(most.start == least.start);
    CHECK(most.end == least.end);
    ++exact;
    in_doubt += most.is_in_doubt ? 1U : 0U;
  });
  REQUIRE(exact > 10);
  REQUIRE(in_doubt > 0);
}

// Whether the times of kernels are longer than what they may be off by.
bool has_true_times(const Graph& graph) {
  return std::none_of(graph.tasks.begin(), graph.tasks.end(), [](const Task& task) {
    return task.kernel_class != no_index && task.end - task.start < 2 * assumed::clock_tolerance;
  });
}

TEST_CASE("a random trace that replays as it was does so whatever its kernels may share") {
  std::size_t in_doubt = 0;
  for_random_graphs(200, [&in_doubt](Graph graph) {
    const Replayed least = replay(graph);
    if (!has_true_times(graph) || least.end != recorded_times(graph).end) return;
    assume(Sharing::most, graph);
    const Replayed most = replay(graph);
    CHECK(most.start == least.start);
    CHECK(most.end == least.end);
    in_doubt += most.is_in_doubt ? 1U : 0U;
  });
  REQUIRE(in_doubt > 0);
}

// What a fix left is looked at as if it had been recorded.
TEST_CASE("a recorded trace that was replayed takes as long when it is replayed again") {
  for_recorded_graphs([](const Graph& graph) {
    const Replayed once = replay(graph);
    const Graph after = rebased(graph, once);
    const auto length = [&graph](const Replayed& times) {
      const auto last = std::max_element(times.end.begin(), times.end.end());
      return static_cast<double>(*last - graph.begin);
    };
    REQUIRE(std::abs(length(replay(after)) / length(once) - 1) < 0.01);
  });
}

}  // namespace
}  // namespace lapscope::analyzer

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
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

// Checks laws of the replay on random traces and on recorded traces.
namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;

using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;
using test::without_edges;

// Calls check(graph) for random traces. The times of each trace are multiplied by five factors.
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

// Makes graphs without the edges of one cause, or without one wait of the host, and calls `check`.
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

// Returns the interval from the first start of a task to the last end.
Interval window_of(const Times& times) {
  if (times.tasks.empty()) return {};
  Interval window = times.tasks[0];
  for (const Interval& task : times.tasks) {
    window = {std::min(window.start, task.start), std::max(window.end, task.end)};
  }
  return window;
}

bool end_alike(const Times& a, const Times& b) {
  return std::equal(
      a.tasks.begin(), a.tasks.end(), b.tasks.begin(), b.tasks.end(),
      [](const Interval& one, const Interval& other) { return one.end == other.end; });
}

void let_all_engines_run_anything(Graph& graph) {
  for (EngineTraits& traits : graph.traits) traits.exclusive.fill(false);
  for (Task& task : graph.tasks.edit()) task.geometry = no_index;
}

void require_not_stuck_and_the_same_again(const Graph& graph) {
  const Replayed once = replay(graph);
  const Replayed again = replay(graph);
  REQUIRE(once.stuck == 0);
  REQUIRE(once.tasks == again.tasks);
  REQUIRE(once.steps == again.steps);
  for (const Interval& task : once.tasks) REQUIRE(task.start <= task.end);
}

TEST_CASE("every task and every call of a random trace gets its turn, each time the same") {
  for_random_graphs(200, require_not_stuck_and_the_same_again);
}

TEST_CASE("every task and every call of a recorded trace gets its turn, each time the same") {
  for_recorded_graphs(require_not_stuck_and_the_same_again);
}

// Returns whether exclusive engines run only one op at a time.
bool engines_take_turns(const Graph& graph, const Replayed& times) {
  std::map<std::pair<std::uint16_t, Engine>, std::vector<Interval>> runs;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    const EngineTraits& traits = graph.traits[task.device];
    if (task.op == no_index || !traits.exclusive[static_cast<std::size_t>(task.engine)]) continue;
    runs[{task.device, traits.occupied_by(task.engine)}].push_back(times.tasks[t]);
  }
  return std::all_of(runs.begin(), runs.end(), [](auto& one) {
    std::vector<Interval>& intervals = one.second;
    std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
      return std::pair(a.start, a.end) < std::pair(b.start, b.end);
    });
    const auto overlaps = [](const Interval& a, const Interval& b) { return b.start < a.end; };
    return std::adjacent_find(intervals.begin(), intervals.end(), overlaps) == intervals.end();
  });
}

// Returns the earliest permitted end of a wait for something that happens at `after` in the replay.
// The clocks of host and device differ, so this is assumed::clock_tolerance before `after`. If the
// wait ended even earlier in the recording, the replay may end it equally early.
std::int64_t no_sooner(std::int64_t after, std::int64_t recorded_delay) {
  return after + std::min<std::int64_t>(-assumed::clock_tolerance, recorded_delay);
}

// Returns whether a task starts only when its call and its edges allow this start, and takes at
// least as long as its work. Kernels may take less, because they can start in the last wave of
// another kernel.
bool waits(const Graph& graph, const Replayed& times, std::uint32_t t) {
  const Task& task = graph.tasks[t];
  const std::int64_t start = times.tasks[t].start;
  const std::int64_t recorded = graph.times.tasks[t].start;
  for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
    const Edge& edge = graph.edges[e];
    const std::int64_t delay = recorded - released_at(graph.times, edge);
    if (start < no_sooner(released_at(times, edge), delay)) return false;
  }
  if (task.step != no_index) {
    const std::int64_t delay = recorded - graph.times.steps[task.step].start;
    if (start < no_sooner(times.steps[task.step].start, delay)) return false;
  }
  return task.kernel_class != no_index || times.tasks[t].length() >= graph.lengths[t].work - 1;
}

// Returns whether call `s` starts after the previous call of its thread, and ends after the tasks
// that it waits for.
bool calls_in_turn(const Graph& graph, const Replayed& times, std::uint32_t s, bool is_first) {
  const Step& step = graph.steps[s];
  const Interval& call = times.steps[s];
  if (call.end < call.start) return false;
  if (!is_first && call.start < no_sooner(times.steps[s - 1].end, step.gap)) return false;
  for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
    if (call.end < no_sooner(times.tasks[graph.waits[w]].end, step.return_latency)) return false;
  }
  return true;
}

// Checks that the replay keeps the rules of the graph. Returns the last end.
std::int64_t last_end_by_rules(const Graph& graph) {
  const Replayed times = replay(graph);
  REQUIRE(engines_take_turns(graph, times));
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (!waits(graph, times, t)) FAIL("task " << t << " does not wait");
  }
  for (const ThreadSteps& thread : graph.threads) {
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      if (!calls_in_turn(graph, times, s, s == thread.first))
        FAIL("call " << s << " does not wait");
    }
  }
  return window_of(times).end;
}

TEST_CASE("a replay keeps the rules that are left when one is taken away") {
  for_random_graphs(20, [](const Graph& graph) {
    last_end_by_rules(graph);
    for_removals(graph, [](const std::string& what, const Graph& changed) {
      INFO("without " << what);
      last_end_by_rules(changed);
    });
  });
}

TEST_CASE("where engines have room for all, removing a constraint never makes a program slower") {
  for_random_graphs(50, [](Graph graph) {
    let_all_engines_run_anything(graph);
    const std::int64_t before = last_end_by_rules(graph);
    for_removals(graph, [before](const std::string& what, const Graph& changed) {
      INFO("without " << what);
      REQUIRE(last_end_by_rules(changed) <= before);
    });
  });
}

// A less important op may take an engine first. Without the wait for an event, C takes the engine
// just before B needs it. D waits for B, so the run takes longer.
//
//   as recorded   AAAAAAABBBBDDDDDD      without the wait   AAAAAAA...BBBBDDDDDD
//                            CCCC                                 CCCC
TEST_CASE("a program may get slower if an op no longer waits, because of the order on an engine") {
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
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 8", "B 11 to 15", "C 7 to 11", "D 15 to 21"});
}

TEST_CASE(
    "of no recorded trace removing a cause, or a wait of the host, makes the replay slower or "
    "breaks "
    "a rule that is left") {
  for_recorded_graphs([](const Graph& graph) {
    const std::int64_t before = last_end_by_rules(graph);
    for_removals(graph, [before](const std::string& what, const Graph& changed) {
      INFO("without " << what);
      REQUIRE(last_end_by_rules(changed) <= before);
    });
  });
}

TEST_CASE("a recorded trace replays to the same times, whatever its kernels may share") {
  std::size_t exact = 0;
  std::size_t in_doubt = 0;
  for_recorded_graphs([&](Graph graph) {
    const Times recorded = graph.times;
    const Replayed least = replay(graph);
    assume(Sharing::most, graph);
    const Replayed most = replay(graph);
    REQUIRE(most.stuck == 0);
    const auto wall = [](const Replayed& times) {
      return static_cast<double>(window_of(times).length());
    };
    CHECK(std::abs(wall(most) - wall(least)) <= 0.005 * wall(least));
    if (!end_alike(least, recorded)) return;
    CHECK(most.tasks == least.tasks);
    ++exact;
    in_doubt += most.is_in_doubt ? 1U : 0U;
  });
  REQUIRE(exact > 10);
  REQUIRE(in_doubt > 0);
}

// Returns whether all kernels are longer than the errors of their times.
bool has_true_times(const Graph& graph) {
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const bool is_kernel = graph.tasks[t].kernel_class != no_index;
    if (is_kernel && graph.times.tasks[t].length() < 2 * assumed::clock_tolerance) return false;
  }
  return true;
}

TEST_CASE("a random trace that replays as it was does so whatever its kernels may share") {
  std::size_t in_doubt = 0;
  for_random_graphs(200, [&in_doubt](Graph graph) {
    const Replayed least = replay(graph);
    if (!has_true_times(graph) || !end_alike(least, graph.times)) return;
    assume(Sharing::most, graph);
    const Replayed most = replay(graph);
    CHECK(most.tasks == least.tasks);
    in_doubt += most.is_in_doubt ? 1U : 0U;
  });
  REQUIRE(in_doubt > 0);
}

TEST_CASE("a run that went otherwise is one of the same program") {
  for_random_graphs(50, [](const Graph& graph) {
    const Graph other = rebased(graph, replay(graph));
    REQUIRE(other.tasks.is_shared_with(graph.tasks));
    REQUIRE(other.steps.is_shared_with(graph.steps));
    REQUIRE(other.edges.is_shared_with(graph.edges));
    REQUIRE(other.waits.is_shared_with(graph.waits));
    REQUIRE(other.issue_offsets.is_shared_with(graph.issue_offsets));
  });
}

TEST_CASE("the replay of a replayed trace takes equally long") {
  for_recorded_graphs([](const Graph& graph) {
    const Replayed once = replay(graph);
    const Graph after = rebased(graph, once);
    const auto length = [&graph](const Replayed& times) {
      return static_cast<double>(window_of(times).end - graph.begin);
    };
    REQUIRE(std::abs(length(replay(after)) / length(once) - 1) < 0.01);
  });
}

}  // namespace
}  // namespace lapscope::analyzer

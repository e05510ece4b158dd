#include <random>

#include "analyzer/replay/replay.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/analyzer/support/program.h"
#include "tests/analyzer/support/random_program.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"

// Makes random programs. Compares the replay of each program with a simulation that advances
// character by character. A failed test prints the drawing of the program, for use in a test.
namespace lapscope::analyzer {
namespace {

using test::Program;
using test::ProgramRun;
using test::RandomProgram;

constexpr std::int64_t unit = 10'000;  // ns per character

struct Drawn {
  RandomProgram what;
  ProgramRun run;
  std::string drawing;
  Program program;
  Graph graph;
  std::vector<std::uint32_t> tasks;  // by op
};

Drawn drawn_at_random(std::mt19937& random, bool issues_at_end) {
  RandomProgram what = test::random_program(random);
  what.issues_at_end = issues_at_end;
  ProgramRun run = run_by_counting(what);
  std::string drawing = drawing_of(what, run);
  Program program(drawing, unit);
  Graph graph = test::graph_of(program.trace);
  std::vector<std::uint32_t> tasks;
  for (std::size_t op = 0; op < what.ops.size(); ++op) {
    tasks.push_back(task_of(program, graph, std::string(1, static_cast<char>('A' + op))));
  }
  return {std::move(what),    std::move(run),   std::move(drawing),
          std::move(program), std::move(graph), std::move(tasks)};
}

// Formats the times of ops as a table.
std::string table(const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& end) {
  std::string text;
  for (std::size_t op = 0; op < start.size(); ++op) {
    text += std::string(1, static_cast<char>('A' + op)) + " " + std::to_string(start[op]) + " to " +
            std::to_string(end[op]) + "\n";
  }
  return text;
}

std::string counted(const ProgramRun& run) {
  std::vector<std::int64_t> start, end;
  for (std::size_t op = 0; op < run.op_start.size(); ++op) {
    start.push_back(run.op_start[op] * unit);
    end.push_back(run.op_end[op] * unit);
  }
  return table(start, end);
}

std::string replayed(const Drawn& drawn, const Graph& graph) {
  const Replayed times = replay(graph);
  std::vector<std::int64_t> start, end;
  for (const std::uint32_t t : drawn.tasks) {
    start.push_back(times.tasks[t].start);
    end.push_back(times.tasks[t].end);
  }
  return table(start, end);
}

// Returns whether two copies needed an engine at about the same time, so that one waited.
bool has_race(const RandomProgram& program, const ProgramRun& run) {
  for (std::size_t a = 0; a < program.ops.size(); ++a) {
    if (program.ops[a].engine == Engine::compute || run.op_start[a] == run.op_ready[a]) continue;
    for (std::size_t b = 0; b < program.ops.size(); ++b) {
      const bool is_other = a != b && program.ops[a].engine == program.ops[b].engine;
      if (is_other && std::abs(run.op_ready[a] - run.op_ready[b]) <= 1) return true;
    }
  }
  return false;
}

TEST_CASE("a program in which nothing waits without a reason replays to the recorded times") {
  unsigned checked = 0;
  for (unsigned seed = 0; seed < test::rounds(800); ++seed) {
    std::mt19937 random(seed);
    const Drawn drawn = drawn_at_random(random, seed % 2 == 0);
    if (has_race(drawn.what, drawn.run)) continue;
    INFO("seed " << seed << "\n" << drawn.drawing);
    REQUIRE(replayed(drawn, drawn.graph) == counted(drawn.run));
    ++checked;
  }
  REQUIRE(checked > test::rounds(500));
}

// C waits for A, which ends at 7. The call of D begins at 7 and returns at 8. In the recording, D
// ran before C. The replay assumes that D is ready when its call has returned, so C runs before D.
TEST_CASE(
    "of two copies that become ready at the same time, the replay may start the wrong one first") {
  const Program program(R"(
    thread 1  a.b.c..d.........
    stream 1  .AAAAAA....CCC...
    stream 2  ...BBBBBB........
    stream 3  .........DD......
    BCD = d2h
  )",
                        unit);
  const Graph graph = test::graph_of(program.trace);
  CHECK(test::recorded(program, graph) ==
        test::Lines{"A 1 to 7", "B 3 to 9", "C 11 to 14", "D 9 to 11"});
  CHECK(test::replayed(program, graph) ==
        test::Lines{"A 1 to 7", "B 3 to 9", "C 9 to 12", "D 12 to 14"});
}

// Gives the graph the rules of run_by_counting(): no latencies, one op at a time on a copy engine,
// kernels that overlap freely, and recorded durations.
Graph on_the_counting_machine(Graph graph, bool issues_at_end) {
  for (EngineTraits& traits : graph.traits) {
    traits.exclusive.fill(true);
    traits.exclusive[static_cast<std::size_t>(Engine::compute)] = false;
    traits.both_directions = 1;
    traits.one_copy_engine = false;
  }
  for (auto& by_engine : graph.latencies.by_cause) by_engine.fill({});
  for (Binding& binding : graph.bindings.edit()) binding.lag = 0;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    graph.lengths.edit()[t].work = graph.times.tasks[t].length();
    graph.issue_offsets.edit()[t] = issues_at_end ? unit : 0;
  }
  for (Step& step : graph.steps.edit()) {
    step.call_overhead = unit;
    step.return_latency = 0;
  }
  return graph;
}

TEST_CASE("what a change to a program does is what counting says") {
  std::size_t moved = 0;
  for (unsigned seed = 0; seed < test::rounds(600); ++seed) {
    std::mt19937 random(seed);
    Drawn drawn = drawn_at_random(random, seed % 2 == 0);
    INFO("seed " << seed << "\n" << drawn.drawing);
    Graph graph = on_the_counting_machine(drawn.graph, drawn.what.issues_at_end);
    REQUIRE(replayed(drawn, graph) == counted(drawn.run));
    RandomProgram changed = drawn.what;
    const auto maybe = [&random] { return random() % 2 == 0; };
    if (maybe()) {
      INFO("ops are longer or shorter");
      for (std::size_t op = 0; op < changed.ops.size(); ++op) {
        changed.ops[op].length = 1 + static_cast<int>(random() % 12);
        graph.lengths.edit()[drawn.tasks[op]].work = changed.ops[op].length * unit;
      }
    }
    if (maybe()) {
      changed.waits_for_events = false;
      const auto goes = [](const Edge& edge) { return edge.cause == Cause::event_wait; };
      graph = test::without_edges(std::move(graph), goes);
    }
    if (maybe()) {
      changed.synchronizes = false;
      for (Step& step : graph.steps.edit()) step.wait_count = 0;
    }
    const ProgramRun run = run_by_counting(changed);
    INFO("changed to\n" << drawing_of(changed, run));
    REQUIRE(replayed(drawn, graph) == counted(run));
    moved += run.op_start != drawn.run.op_start ? 1U : 0U;
  }
  REQUIRE(moved > test::rounds(300));
}

}  // namespace
}  // namespace lapscope::analyzer

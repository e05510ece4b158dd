#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "analyzer/graph/edits.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/analyzer/support/random_trace.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"

// Laws of graphs. They are checked on random traces.
namespace lapscope::analyzer {
namespace {

// Calls check(trace, graph) for random traces. Each trace is checked with its own timestamps, and
// with timestamps multiplied by 10, 250 and 1000. The shortest times are far below the tolerance of
// clocks, and the longest times are far above it.
void for_random_graphs(const std::function<void(const Trace&, const Graph&)>& check) {
  for (unsigned seed = 0; seed < test::rounds(200); ++seed) {
    std::mt19937 random(seed);
    Trace trace = test::random_trace(random, 1);
    for (const std::int64_t factor : {1, 10, 25, 4}) {
      test::stretch_times(trace, factor);
      INFO("seed " << seed << ", last factor " << factor);
      check(trace, test::graph_of(trace));
    }
  }
}

TEST_CASE("ops have the times of the trace, but for kernels that began early") {
  std::size_t early = 0;
  for_random_graphs([&early](const Trace& trace, const Graph& graph) {
    std::vector<std::uint32_t> last(graph.streams.size(), no_index);
    for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
      const Task& task = graph.tasks[t];
      const std::uint32_t ahead = std::exchange(last[task.stream], t);
      if (task.op == no_index) continue;
      const Interval recorded = trace.devices[task.device].ops.interval(task.op);
      if (!task.began_early) {
        REQUIRE(graph.times.tasks[t] == recorded);
        continue;
      }
      ++early;
      REQUIRE(graph.times.tasks[t].end == recorded.end);
      REQUIRE(graph.times.tasks[t].start > recorded.start);
      REQUIRE(graph.times.tasks[t].start == graph.times.tasks[ahead].end);
    }
  });
  REQUIRE(early > 0);
}

TEST_CASE("all that a program refers to is there, and nothing waits for what is issued later") {
  for_random_graphs([](const Trace&, const Graph& graph) {
    REQUIRE(graph.times.tasks.size() == graph.tasks.size());
    REQUIRE(graph.times.steps.size() == graph.steps.size());
    REQUIRE(graph.lengths.size() == graph.tasks.size());
    REQUIRE(graph.bindings.size() == graph.tasks.size());
    for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
      for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
        REQUIRE(graph.edges[e].from < t);
      }
    }
    for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
      const Step& step = graph.steps[s];
      for (std::uint32_t t = step.first_task; t < step.first_task + step.task_count; ++t) {
        REQUIRE(graph.tasks[t].step == s);
      }
      for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
        REQUIRE(graph.waits[w] < graph.tasks.size());
      }
    }
    for (std::uint32_t r = 0; r < graph.ranks.size(); ++r) {
      REQUIRE(graph.tasks[graph.ranks[r].task].rank == r);
    }
  });
}

TEST_CASE("a program that is edited shares what the edits leave alone") {
  for_random_graphs([](const Trace&, const Graph& graph) {
    Edits edits(graph);
    if (!graph.lengths.empty()) edits.lengths.edit(0).work += 1;
    const Graph changed = edited(edits);
    REQUIRE(changed.tasks.is_shared_with(graph.tasks));
    REQUIRE(changed.steps.is_shared_with(graph.steps));
    REQUIRE(changed.edges.is_shared_with(graph.edges));
    REQUIRE(changed.times.tasks.is_shared_with(graph.times.tasks));
    REQUIRE(changed.bindings.is_shared_with(graph.bindings));
    REQUIRE((graph.lengths.empty() || !changed.lengths.is_shared_with(graph.lengths)));
  });
}

}  // namespace
}  // namespace lapscope::analyzer

#include <algorithm>
#include <numeric>
#include <random>

#include "analyzer/explain/walk_back.h"
#include "analyzer/scope/scope.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/analyzer/support/random_program.h"
#include "tests/analyzer/support/random_trace.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"

// Checks laws that the parts of a critical path obey. All explanations are sums of such parts.
namespace lapscope::analyzer {
namespace {

using test::ProgramRun;
using test::RandomProgram;

constexpr std::int64_t unit = 10'000;  // ns per character

// The time in ns for which an op waited for the only host thread. Each field is the time in which
// the thread did one thing.
struct HostTime {
  std::int64_t issuing = 0;
  std::int64_t waiting = 0;
  std::int64_t elsewhere = 0;

  friend bool operator==(const HostTime&, const HostTime&) = default;
};

std::vector<std::uint32_t> all_tasks(const Graph& graph) {
  std::vector<std::uint32_t> tasks(graph.tasks.size());
  std::iota(tasks.begin(), tasks.end(), 0U);
  return tasks;
}

// Counts the time in which only the host delayed the op.
HostTime counted(const RandomProgram& program, const ProgramRun& run, std::size_t op) {
  const std::vector<std::vector<unsigned>> ahead = test::ops_ahead(program);
  const auto lets_go = [&](int now) {
    const auto has_ended = [&](std::size_t other) { return run.op_end[other] <= now; };
    const Engine engine = program.ops[op].engine;
    for (std::size_t other = 0; other < program.ops.size(); ++other) {
      const bool is_ahead_there = engine != Engine::compute &&
                                  program.ops[other].engine == engine &&
                                  run.op_start[other] < run.op_start[op];
      if (is_ahead_there && !has_ended(other)) return false;
    }
    return std::all_of(ahead[op].begin(), ahead[op].end(), has_ended);
  };
  const auto issue = std::find_if(program.calls.begin(), program.calls.end(),
                                  [&](const RandomProgram::Call& call) {
                                    return call.kind == RandomProgram::Kind::issue && call.op == op;
                                  });
  const auto c = static_cast<std::size_t>(issue - program.calls.begin());
  const int issued = program.issues_at_end ? run.call_end[c] : run.call_start[c];
  const int first = *std::min_element(run.op_start.begin(), run.op_start.end());
  HostTime time;
  for (int now = first; now < issued; ++now) {
    if (!lets_go(now)) continue;
    std::int64_t* what = &time.elsewhere;
    for (std::size_t call = 0; call < program.calls.size(); ++call) {
      if (now < run.call_start[call] || run.call_end[call] <= now) continue;
      const bool waits = program.calls[call].kind == RandomProgram::Kind::synchronize;
      what = waits ? &time.waiting : &time.issuing;
    }
    *what += unit;
  }
  return time;
}

HostTime held(const std::vector<Part>& parts) {
  HostTime time;
  for (const Part& part : parts) {
    const std::int64_t ns = part.interval.length();
    if (part.cause == Cause::launch_overhead || part.cause == Cause::host_call) time.issuing += ns;
    if (part.cause == Cause::host_sync) time.waiting += ns;
    if (part.cause == Cause::host_compute) time.elsewhere += ns;
  }
  return time;
}

TEST_CASE("an op waits for the host only while nothing else delays this op", "[laws]") {
  HostTime all;
  for (unsigned seed = 0; seed < test::rounds(300); ++seed) {
    std::mt19937 random(seed);
    const RandomProgram what = test::random_program(random);
    const ProgramRun run = run_by_counting(what);
    const std::string drawing = drawing_of(what, run);
    INFO("seed " << seed << "\n" << drawing);
    const test::Program program(drawing, unit);
    const Graph graph = test::graph_of(program.trace);
    const HostTimeline host(program.trace);
    const Interval window = whole(program.trace.devices[0].ops).window;
    const TaskWaits waits({program.trace, host, graph}, all_tasks(graph), window);
    for (std::size_t op = 0; op < what.ops.size(); ++op) {
      const std::string name(1, static_cast<char>('A' + op));
      INFO(name);
      std::vector<Part> parts;
      waits.add_parts(test::task_of(program, graph, name), parts);
      const HostTime expected = counted(what, run, op);
      const HostTime found = held(parts);
      CHECK(found.issuing == expected.issuing);
      CHECK(found.waiting == expected.waiting);
      CHECK(found.elsewhere == expected.elsewhere);
      all.issuing += expected.issuing;
      all.waiting += expected.waiting;
      all.elsewhere += expected.elsewhere;
    }
  }
  CHECK(all.issuing > 0);
  CHECK(all.waiting > 0);
  CHECK(all.elsewhere > 0);
}

void require_parts_fit(const Trace& trace) {
  const Graph graph = test::graph_of(trace);
  const HostTimeline host(trace);
  const Sources sources{trace, host, graph};
  const Interval window{graph.begin, latest_time};
  const TaskWaits waits(sources, all_tasks(graph), window);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Interval free = waits.free(t);
    std::vector<Part> parts;
    waits.add_parts(t, parts);
    std::int64_t until = free.end;
    for (const Part& part : parts) {
      REQUIRE(part.task == t);
      REQUIRE(part.interval.start < part.interval.end);
      REQUIRE(part.interval.end <= until);
      until = part.interval.start;
    }
    REQUIRE((parts.empty() || until >= free.start));
  }
}

TEST_CASE("parts of a wait follow each other, and are never more than it", "[laws]") {
  for (unsigned seed = 0; seed < test::rounds(150); ++seed) {
    std::mt19937 random(seed);
    Trace trace = test::random_trace(random, 1);
    for (const std::int64_t factor : {1, 5, 20}) {
      test::stretch_times(trace, factor);
      INFO("seed " << seed << ", last factor " << factor);
      require_parts_fit(trace);
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer

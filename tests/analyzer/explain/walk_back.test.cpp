#include "analyzer/explain/walk_back.h"

#include "analyzer/model/limits.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

Task op() {
  Task task;
  task.op = 0;
  return task;
}

// A waited for the start of B (same hardware queue), and B waited for room that A freed. The clocks
// are too coarse to show which of the two started first. A also waited for P.
//
//   stream 1  PPPPPPPPPPAAAAAAAAAA
//   stream 2  ..........BBBBBBBBBBBBBBB
TEST_CASE("two tasks that seem to have waited for each other do not end the path") {
  Graph graph;
  graph.tasks = std::vector<Task>{op(), op(), op()};
  graph.times.tasks = std::vector<Interval>{{0, 10}, {10, 20}, {11, 25}};
  constexpr std::uint32_t p = 0, a = 1, b = 2;
  graph.edges = std::vector<Edge>{{p, Cause::stream_order}, {b, Cause::queue_alias, true}};
  graph.edge_begin = std::vector<std::uint32_t>{0, 0, 2, 2};
  graph.bindings = std::vector<Binding>{
      {}, {Cause::queue_alias, b, 11, 10, -1}, {Cause::sm_saturated, a, 11, never, 0}};
  const Trace trace;
  const HostTimeline host(trace);
  const auto path = critical_path({trace, host, graph}, b, {0, 25});
  REQUIRE(path.size() == 3);
  CHECK(path[0].interval == Interval{0, 10});
  CHECK(path[0].task == p);
  CHECK(path[0].is_work);
  CHECK(path.back().task == b);
  CHECK(path.back().is_work);
}

// Each kernel waits only for its launch. A walk back from a kernel visits calls before this launch,
// up to a limit. The limit is lower if many walks begin.
//
//   thread 1  a.b.c.d.…
//   streams   .A.B.C.D…     each kernel in its own stream
TEST_CASE("if walks back begin at many ops, each walk visits fewer calls than a walk alone") {
  constexpr std::uint32_t count = 4'000;
  Trace trace;
  Graph graph;
  std::vector<Task> tasks;
  std::vector<Interval> ran;
  std::vector<Step> steps;
  std::vector<Interval> called;
  std::vector<Binding> bindings;
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Ns begin = 10 * Ns{i};
    trace.calls.start.push_back(begin);
    trace.calls.end.push_back(begin + 5);
    called.push_back({begin, begin + 5});
    Step step;
    step.call = i;
    step.cause = Cause::launch_overhead;
    step.first_task = i;
    step.task_count = 1;
    steps.push_back(step);
    tasks.push_back(op());
    tasks.back().step = i;
    ran.push_back({begin + 5, begin + 8});
    bindings.push_back({Cause::not_issued, no_index, begin + 5, 0, 0});
    all.push_back(i);
  }
  graph.tasks = tasks;
  graph.steps = steps;
  graph.bindings = bindings;
  graph.times.tasks = ran;
  graph.times.steps = called;
  graph.threads = {{1, 0, count}};
  const HostTimeline host(trace);
  const Sources sources{trace, host, graph};
  const Interval window{0, 10 * Ns{count}};
  const auto time_of = [](const TaskWaits& waits, std::uint32_t task) {
    std::vector<Part> parts;
    waits.add_parts(task, parts);
    Ns time = 0;
    for (const Part& part : parts) time += part.interval.length();
    return time;
  };
  // The walk visits 1000 calls before the launch, and the time between them.
  CHECK(time_of(TaskWaits(sources, std::span(all).last(1), window), count - 1) == 10'005);
  const TaskWaits of_all(sources, all, window);
  Ns time = 0;
  for (const std::uint32_t task : all) time += time_of(of_all, task);
  const auto calls = static_cast<std::size_t>(time / 10);
  CHECK(calls > limits::steps_back_in_all / 2);
  CHECK(calls <= limits::steps_back_in_all + count);
}

}  // namespace
}  // namespace lapscope::analyzer

#include "analyzer/scope/profiler_brackets.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Makes calls of one thread: `<` is cudaProfilerStart, `>` is cudaProfilerStop, and `.` is another
// call.
Trace called(std::string_view picture, std::uint32_t pid = 1) {
  Trace trace;
  trace.names.add(1, "cudaProfilerStart_v4000");
  trace.names.add(2, "cuProfilerStop");
  trace.names.add(3, "cudaLaunchKernel_v7000");
  for (std::size_t i = 0; i < picture.size(); ++i) {
    const char c = picture[i];
    trace.calls.start.push_back(static_cast<std::int64_t>(10 * i));
    trace.calls.end.push_back(static_cast<std::int64_t>(10 * i + 9));
    trace.calls.name.push_back(trace.names.index_of(c == '<' ? 1 : c == '>' ? 2 : 3));
    trace.calls.kind.push_back(CallKind::other);
  }
  const auto count = static_cast<std::uint32_t>(picture.size());
  trace.calls.threads.push_back({std::int64_t{pid} << 24 | 5, 0, count, count});
  return trace;
}

std::vector<Interval> brackets(std::string_view picture) {
  const ProfilerBrackets found = find_profiler_brackets(called(picture));
  if (found.processes.empty()) return {};
  REQUIRE(found.processes.size() == 1);
  REQUIRE(found.processes[0].pid == 1);
  const auto stretches = found.processes[0].stretches.intervals();
  REQUIRE(found.count == static_cast<std::int64_t>(stretches.size()));
  return {stretches.begin(), stretches.end()};
}

using Intervals = std::vector<Interval>;

TEST_CASE("a bracket lasts from the return of the start to the call of the stop") {
  REQUIRE(brackets(".<..>.") == Intervals{{19, 40}});
  REQUIRE(brackets("<.>.<.>") == Intervals{{9, 20}, {49, 60}});
}

TEST_CASE("a start without a stop lasts to the end") {
  REQUIRE(brackets(".<..") == Intervals{{19, latest_time}});
}

TEST_CASE("a second start, or a stop without a start, changes nothing") {
  REQUIRE(brackets("<.<.>") == Intervals{{9, 40}});
  REQUIRE(brackets(">.<.>.>") == Intervals{{29, 40}});
}

TEST_CASE("a program that does not use the profiler's API has no brackets") {
  REQUIRE(brackets("....").empty());
}

TEST_CASE("the ops that a bracket's process issued in it are its scope") {
  Trace trace = called("..<.>.");
  Ops ops;
  ops.start = {100, 200, 300};
  ops.end = {110, 250, 310};
  ops.issue = {0, 3, 5};  // before, inside and after the brackets
  const auto scope = issued_while(ops, trace.calls, find_profiler_brackets(trace).processes);
  REQUIRE(scope.has_value());
  REQUIRE(scope->window == Interval{200, 250});
  REQUIRE_FALSE(issued_while(ops, trace.calls, {{2, IntervalSet::union_of({{0, 1000}})}}));
}

}  // namespace
}  // namespace lapscope::analyzer

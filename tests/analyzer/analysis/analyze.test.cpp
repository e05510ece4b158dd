#include "analyzer/analysis/analyze.h"

#include "analyzer/model/limits.h"
#include "tests/analyzer/support/picture.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

Trace trace_with(std::initializer_list<std::string_view> lanes) {
  Trace trace;
  trace.devices.push_back(test::device_with(test::ops_in(lanes)));
  return trace;
}

bool has_health(const Report& report, std::string_view code) {
  for (const HealthRow& row : report.health) {
    if (code_of(row) == code) return true;
  }
  return false;
}

TEST_CASE("each device is judged by its own window") {
  Trace trace = trace_with({"K AA"});
  trace.devices.push_back(test::device_with(test::ops_in({"K ......BBB"})));
  trace.devices.back().id = 1;
  const Report report = analyze(trace);
  REQUIRE(report.devices.at(0).scope.window == Interval{0, 2});
  REQUIRE(report.devices.at(1).scope.window == Interval{6, 9});
}

TEST_CASE("streams that the trace describes keep their description") {
  Trace trace = trace_with({"K AA"});
  Stream& stream = trace.devices[0].streams.at(1);
  stream.kind = StreamKind::non_blocking;
  stream.priority = -2;
  const StreamResult result = analyze(trace).devices.at(0).streams.at(0);
  REQUIRE(result.stream.kind == StreamKind::non_blocking);
  REQUIRE(result.stream.priority == -2);
}

//   window             |-----|
//   thread 1  assssss....b....
//   stream 1  .AAAAAA.........
//   stream 2  ............BBBB
TEST_CASE("the activity of the host at the begin of a window follows from the calls before it") {
  const test::Program program(R"(
    thread 1  assssss....b....
    stream 1  .AAAAAA.........
    stream 2  ............BBBB
    s = cudaDeviceSynchronize
  )");
  AnalyzeOptions options;
  options.window = Interval{9 * program.unit, 15 * program.unit};
  const DeviceResult device = analyze(program.trace, options).devices.at(0);
  REQUIRE(device.scope.causes.has_value());
  std::vector<std::string> blame;
  for (const BlameRow& row : device.scope.causes->blame) {
    blame.push_back(std::string(row.code) + ' ' + std::to_string(row.ns / program.unit));
  }
  REQUIRE(blame == std::vector<std::string>{"compute 3", "host-compute 2", "launch-overhead 1"});
  REQUIRE(device.scope.causes->replay.wall_ns == 6 * program.unit);
  REQUIRE(device.scope.causes->replay.error == 0);
}

TEST_CASE("a sound trace gives sound figures") {
  const Report report = analyze(trace_with({"K AA"}));
  REQUIRE(report.trust == Trust::sound);
  REQUIRE(report.health.empty());
}

TEST_CASE("an error in the trace's health makes the result inconclusive, a warning does not") {
  Trace trace = trace_with({"K AA"});
  trace.health.push_back({HealthKind::yielded, 1});
  REQUIRE(analyze(trace).trust == Trust::sound);
  trace.health.push_back({HealthKind::other_loss, 1, {"dropped-records"}});
  REQUIRE(analyze(trace).trust == Trust::inconclusive);
}

TEST_CASE("a trace without GPU work is inconclusive and says so") {
  const Report report = analyze(Trace{});
  REQUIRE(report.devices.empty());
  REQUIRE(report.trust == Trust::inconclusive);
  REQUIRE(has_health(report, "no-gpu-work"));
}

// The op A belongs to each of `count` ranges, because all ranges contain its launch.
Report in_ranges(int count, AnalyzeOptions options = {}) {
  test::Program program(R"(
    thread 1  ...a........
    stream 1  ....AA......
  )");
  Trace& trace = program.trace;
  for (int i = 0; i < count; ++i) {
    trace.names.add(1000 + i, "r" + std::to_string(i));
    trace.ranges.push_back({{0, 10 * program.unit},
                            trace.calls.threads.front().global_tid,
                            trace.names.index_of(1000 + i)});
  }
  options.ranges = {"r*"};
  return analyze(trace, options);
}

TEST_CASE("ranges that hold the ops of the trace too often together are not evaluated") {
  const int most = static_cast<int>(limits::times_in_ranges);
  const Report few = in_ranges(most);
  CHECK_FALSE(has_health(few, "ranges-too-many"));
  CHECK(few.devices.at(0).ranges.size() == limits::times_in_ranges);
  const Report many = in_ranges(most + 50);
  CHECK(has_health(many, "ranges-too-many"));
  CHECK(many.devices.at(0).ranges.size() <= limits::times_in_ranges + 1);
}

TEST_CASE("ranges are left out if finding their causes would take too many ops") {
  AnalyzeOptions options;
  options.ops_explained = 0;
  const int most = static_cast<int>(limits::times_explained);
  CHECK_FALSE(has_health(in_ranges(most, options), "ranges-too-many"));
  const Report many = in_ranges(most + 5, options);
  CHECK(has_health(many, "ranges-too-many"));
  CHECK(many.devices.at(0).ranges.size() == limits::times_explained + 1);
  options.find_causes = false;
  CHECK_FALSE(has_health(in_ranges(most + 5, options), "ranges-too-many"));
}

}  // namespace
}  // namespace lapscope::analyzer

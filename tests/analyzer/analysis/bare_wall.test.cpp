#include "analyzer/analysis/bare_wall.h"

#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

// Work in a range of thread 1. A character is 10 us.
const char* const drawing = R"(
thread 1   .abs......cds......
stream 1   ..AAABBB..CCCDDD...
s = cudaDeviceSynchronize
)";

void add_range(Program& program, std::int64_t first, std::int64_t last) {
  const std::uint32_t name = 0;
  program.trace.ranges.push_back({{first * program.unit, last * program.unit},
                                  program.trace.calls.threads.front().global_tid,
                                  name});
}

void add_run(Trace& trace, bool recorded, std::int64_t count, std::int64_t us,
             std::int64_t exit_status = 0) {
  const auto run = static_cast<std::int64_t>(trace.runs.size()) / 2 + 1;
  trace.runs.push_back({run, recorded, exit_status, std::nullopt, 1, us * 5'000});
  trace.runs.push_back({run, recorded, exit_status, trace.names.text(0), count, us * 1'000});
}

std::optional<BareWall> bare_wall_in(const Program& program) {
  const Trace& trace = program.trace;
  ResolvedScope scope;
  scope.kind = ScopeKind::nvtx;
  scope.name = trace.names.text(0);
  scope.scope = whole(trace.devices.front().ops);
  scope.ranges = trace.ranges;
  scope.instances = static_cast<std::int64_t>(trace.ranges.size());
  return bare_wall_of(trace, scope);
}

//   range    |-----90-----|-----90-----|
//   bare     70, 80, 75 us: the sum of both ranges in each of three bare runs
TEST_CASE("ranges of a name are added up, and the median of the bare runs counts") {
  Program program(drawing);
  add_range(program, 0, 9);
  add_range(program, 9, 18);
  CHECK_FALSE(bare_wall_in(program).has_value());  // no bare runs
  for (const std::int64_t us : {70, 80, 75}) {
    add_run(program.trace, true, 2, 190);
    add_run(program.trace, false, 2, us);
  }
  const auto wall = bare_wall_in(program);
  REQUIRE(wall.has_value());
  CHECK(wall->reason.empty());
  CHECK(wall->recorded_ns == 180'000);
  CHECK(wall->runs == 3);
  CHECK(wall->median_ns == 75'000);
  CHECK(wall->least_ns == 70'000);
  CHECK(wall->most_ns == 80'000);
  CHECK(wall->ended_synchronized);
}

TEST_CASE("a range that ends before its work does is told") {
  Program program(drawing);
  add_range(program, 0, 5);
  add_range(program, 9, 18);
  add_run(program.trace, true, 2, 140);
  add_run(program.trace, false, 2, 100);
  const auto wall = bare_wall_in(program);
  REQUIRE(wall.has_value());
  CHECK_FALSE(wall->ended_synchronized);
}

TEST_CASE("only runs that did the same are compared") {
  Program program(drawing);
  add_range(program, 0, 18);
  add_run(program.trace, true, 1, 180);
  add_run(program.trace, false, 2, 100);     // opened the range twice
  add_run(program.trace, false, 1, 110, 1);  // ended with an error
  CHECK(bare_wall_in(program)->reason ==
        "bare runs ended otherwise, or had another number of these ranges");
  CHECK(bare_wall_in(program)->recorded_ns == 180'000);
  add_run(program.trace, false, 1, 120);
  CHECK(bare_wall_in(program)->median_ns == 120'000);
  CHECK(bare_wall_in(program)->runs == 1);
}

TEST_CASE("the wall of the process never stands in for a range") {
  Program program(drawing);
  add_range(program, 0, 18);
  program.trace.runs.push_back({1, true, 0, std::nullopt, 1, 900'000});
  program.trace.runs.push_back({2, false, 0, std::nullopt, 1, 800'000});
  CHECK(bare_wall_in(program)->reason == "no bare run had such a range");
  program.trace.ranges.clear();
  CHECK_FALSE(bare_wall_in(program).has_value());
}

//   thread 1  .abs......cds......
//   stream 1  ..AAABBB..CCCDDD...
//   ranges    |---------------|
//                |-|    |----|        end before B and D do
TEST_CASE("ranges of a name that are open at the same time count once") {
  Program program(drawing);
  add_range(program, 0, 18);
  add_range(program, 3, 5);
  add_range(program, 9, 14);
  add_run(program.trace, true, 3, 180);
  add_run(program.trace, false, 3, 150);
  const auto wall = bare_wall_in(program);
  REQUIRE(wall.has_value());
  CHECK(wall->recorded_ns == 180'000);
  CHECK(wall->median_ns == 150'000);
  CHECK(wall->ended_synchronized);
}

//   ranges   |---epoch 1---|---epoch 2---|     the steady state consists of both
TEST_CASE("ranges that are judged together are compared together") {
  Program program(drawing);
  add_range(program, 0, 9);
  add_range(program, 9, 18);
  const auto second = static_cast<std::uint32_t>(program.trace.names.size());
  program.trace.names.add(-100, "epoch 2");
  program.trace.ranges.back().name = second;
  add_run(program.trace, true, 1, 90);
  add_run(program.trace, false, 1, 70);
  CHECK(bare_wall_in(program)->reason ==
        "bare runs ended otherwise, or had another number of these ranges");
  RunTime run = program.trace.runs.back();
  run.range = "epoch 2";
  run.ns = 75'000;
  program.trace.runs.push_back(run);
  const auto wall = bare_wall_in(program);
  CHECK(wall->reason.empty());
  CHECK(wall->runs == 1);
  CHECK(wall->median_ns == 145'000);
}

TEST_CASE("a range that is never closed has no wall") {
  Program program(drawing);
  add_range(program, 0, 18);
  program.trace.ranges.back().interval.end = latest_time;
  add_run(program.trace, false, 1, 100);
  CHECK(bare_wall_in(program)->reason == "a range was never closed");
}

}  // namespace
}  // namespace lapscope::analyzer

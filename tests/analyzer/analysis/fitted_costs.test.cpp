#include "analyzer/analysis/fitted_costs.h"

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/what_if.h"
#include "cli/fix_argument.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

// Recording adds 15 us to each of the three launches. The range takes 180 us, and 135 us without
// the added time.
//
//   range     |----------------|
//   thread 1  aaaabbbbccccsss..d    recorded
//   stream 1  ....A...B...CC...D
Program program_of(std::initializer_list<std::int64_t> bare_us) {
  Program program(R"(
    thread 1  .aaaabbbbccccsss..d.
    stream 1  .....A...B...CC....D
    s = cudaDeviceSynchronize
  )");
  Trace& trace = program.trace;
  const std::int64_t tid = trace.calls.threads.front().global_tid;
  const std::string name(trace.names.text(0));
  trace.ranges.push_back({{0, 18 * program.unit}, tid});
  trace.call_costs = {"2026-11-22T14:00:00Z", {{"launch", 15'000}, {"query", 0}}};
  std::int64_t run = 0;
  for (const std::int64_t us : bare_us) {
    for (const bool is_recorded : {true, false}) {
      const std::int64_t ns = is_recorded ? 180'000 : us * 1'000;
      trace.runs.push_back({++run, is_recorded, 0, std::nullopt, 1, 2 * ns});
      trace.runs.push_back({run, is_recorded, 0, name, 1, ns});
    }
  }
  return program;
}

CallCosts fitted(const Program& program) { return fitted_costs(program.trace, {}); }

TEST_CASE("costs are multiplied by what brings a range to the median of its bare runs") {
  const CallCosts costs = fitted(program_of({119, 120, 121}));
  REQUIRE(costs.factor);
  CHECK(*costs.factor == Approx(4. / 3).epsilon(0.01));
  CHECK(costs.of("launch") == Approx(20'000).epsilon(0.01));
  const CallCosts less = fitted(program_of({149, 150, 151}));
  REQUIRE(less.factor);
  CHECK(*less.factor == Approx(2. / 3).epsilon(0.01));
}

TEST_CASE("costs stay where there are no bare runs, and where they fit these") {
  CHECK_FALSE(fitted(program_of({})).factor);
  CHECK_FALSE(fitted(program_of({120, 130, 140})).factor);  // the range contains 135
  CHECK_FALSE(fitted(program_of({138, 138})).factor);       // differs by 2 %
}

TEST_CASE(
    "at most twice the costs are taken off for bare runs, and only where that explains half") {
  const CallCosts most = fitted(program_of({60, 60}));  // twice the costs leave 90 us
  REQUIRE(most.factor);
  CHECK(*most.factor == assumed::uneven);
  CHECK_FALSE(fitted(program_of({30, 30})).factor);
  CHECK_FALSE(fitted(program_of({190, 195})).factor);  // longer than recorded
}

// Each of the four recorded iterations takes 100 us, and 70 us without recording: recording adds
// 15 us to each of two launches. The first recorded iteration is ignored. `unrecorded_us` has the
// lengths of iterations before the capture.
Program captured_after(std::initializer_list<std::int64_t> unrecorded_us) {
  Program program(R"(
    thread 1  aaaabbbbppccccddddqqeeeeffffrrgggghhhhtt
    stream 1  ....A...B.....C...D.....E...F.....G...H.
    p = cudaDeviceSynchronize
    q = cudaDeviceSynchronize
    r = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
  )");
  Trace& trace = program.trace;
  const std::int64_t tid = trace.calls.threads.front().global_tid;
  for (std::int64_t i = 0; i < 4; ++i) {
    trace.ranges.push_back({{10 * i * program.unit, 10 * (i + 1) * program.unit}, tid});
  }
  trace.call_costs = {"2026-11-28T06:00:00Z", {{"launch", 15'000}, {"query", 0}}};
  trace.unrecorded.range = std::string(trace.names.text(0));
  for (const std::int64_t us : unrecorded_us) trace.unrecorded.ns.push_back(us * 1'000);
  return program;
}

TEST_CASE("without bare runs, costs are fitted to the iterations before an armed capture") {
  const CallCosts costs = fitted(captured_after({60, 60, 60}));
  REQUIRE(costs.factor);
  CHECK(*costs.factor == Approx(20. / 15).epsilon(0.01));
  CHECK(*costs.iterations_error == Approx(0).margin(0.01));
  const CallCosts fitting = fitted(captured_after({69, 70, 71}));
  CHECK_FALSE(fitting.factor);
  CHECK(*fitting.iterations_error == Approx(0).margin(0.01));
  CHECK_FALSE(fitted(captured_after({60, 60})).iterations_error);
}

TEST_CASE("costs are not fitted to more ops than may be replayed") {
  const Program program = captured_after({60, 60, 60});
  AnalyzeOptions options;
  options.most_replayed = 5;  // the three iterations have six ops
  const CallCosts costs = fitted_costs(program.trace, options);
  CHECK_FALSE(costs.factor);
  CHECK_FALSE(costs.empty());
}

TEST_CASE("what costs cannot explain remains as the error of the iterations") {
  const CallCosts twice = fitted(captured_after({41, 41, 41}));
  REQUIRE(twice.factor);
  CHECK(*twice.factor > 0.95 * assumed::uneven);
  CHECK(*twice.iterations_error == Approx(0).margin(0.02));
  const CallCosts costs = fitted(captured_after({5, 5, 5}));
  REQUIRE(costs.factor);
  CHECK(*costs.factor == assumed::uneven * assumed::uneven);
  CHECK(*costs.iterations_error > 0.5);
}

TEST_CASE("analyze and whatif take the same off, and say by what it was multiplied") {
  const Program program = program_of({119, 120, 121});
  AnalyzeOptions options;
  options.ranges = {std::string(program.trace.names.text(0))};
  const Report report = analyze(program.trace, options);
  const Correction& analyzed = *report.devices.front().ranges.front().scope.causes->correction;
  REQUIRE(analyzed.factor);
  CHECK(static_cast<double>(*analyzed.host_corrected_ns) == Approx(120'000).epsilon(0.01));
  CHECK(*analyzed.bare_error == Approx(0).margin(0.01));
  const WhatIfReport changed = what_if(program.trace, options, {cli::parse_fix("launch-overhead")});
  for (const WhatIfScope& scope : changed.scopes) {
    REQUIRE(scope.correction);
    CHECK(scope.correction->factor == analyzed.factor);
  }
}

// On the recorded host, a launch took 4.6 us without lapscope and 7.3 us in the calibration.
TEST_CASE("the corrected time of many tiny launches is that of the bare runs") {
  const Trace trace = read_trace(LAPSCOPE_TEST_TRACES "/oddities/bare-runs.sqlite");
  AnalyzeOptions options;
  options.ranges = {"tiny-kernels"};
  const Report report = analyze(trace, options);
  const RangeResult& range = report.devices.front().ranges.front();
  const Correction& correction = *range.scope.causes->correction;
  REQUIRE(correction.factor);
  CHECK(*correction.factor > 1.4);
  CHECK(*correction.factor < 1.6);
  CHECK(range.bare->least_ns <= *correction.host_corrected_ns);
  CHECK(*correction.host_corrected_ns <= range.bare->most_ns);
  CHECK(*correction.host_recorded_ns > 19 * range.bare->median_ns / 10);
}

}  // namespace
}  // namespace lapscope::analyzer

#include "analyzer/analysis/recorder_doubts.h"

#include <algorithm>

#include "analyzer/analysis/analyze.h"
#include "analyzer/model/call_costs.h"
#include "analyzer/model/evidence.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

// Makes a program with two kernels in each of 13 streams. `launch` is the length of each launch and
// `op` is the length of each kernel, in characters of 250 ns. The kernels are too small to slow
// each other down.
//
// In queued(12, 18), kernels wait for their launches of 12 characters. Recording may have added 4
// of the 12 (assumed::added_to_call). With the remaining 8 characters, the kernels would wait for
// their hardware queue.
Program queued(std::size_t launch, std::size_t op, bool shares_queue = true) {
  constexpr std::size_t streams = 13;
  std::string thread = "thread 1  ";
  std::string lanes;
  std::size_t begin = launch;
  for (std::size_t s = 0; s < streams; ++s) {
    const char first = static_cast<char>('a' + 2 * s);
    const char second = static_cast<char>(first + 1);
    thread += std::string(launch, first) + std::string(launch, second);
    const std::size_t gap = launch > op ? launch - op : 0;
    lanes += "stream " + std::to_string(s + 1) + " channel " +
             std::to_string(shares_queue ? 1 : s) + "  " + std::string(begin, '.') +
             std::string(op, static_cast<char>(first - 'a' + 'A')) + std::string(gap, '.') +
             std::string(op, static_cast<char>(second - 'a' + 'A')) + "\n";
    begin += std::max(2 * launch, op);
  }
  lanes += "ABCDEFGHIJKLMNOPQRSTUVWXYZ = fills 3\n";
  return Program(thread + "\n" + lanes, 250);
}

const LookedFor& answer(const CausesResult& causes, std::string_view code) {
  return *std::find_if(causes.looked_for.begin(), causes.looked_for.end(),
                       [code](const LookedFor& one) { return one.code == code; });
}

bool is_found(const CausesResult& causes, std::string_view code) {
  return answer(causes, code).is_found;
}

bool lacks_bare_runs(const LookedFor& one) {
  return std::find(one.missing.begin(), one.missing.end(), bare_runs) != one.missing.end();
}
bool lacks_bare_runs(const CausesResult& causes) {
  return std::any_of(causes.looked_for.begin(), causes.looked_for.end(),
                     [](const LookedFor& one) { return lacks_bare_runs(one); });
}

// Checks which findings are inconclusive: those that save at most the time that the recorder may
// have added. If the first finding is inconclusive, the scope lacks evidence.
void require_doubts(const CausesResult& causes, double recorder_ns) {
  for (const FindingResult& finding : causes.findings) {
    INFO(finding.code << " saves " << finding.saving_ns << ", the recorder " << recorder_ns);
    const bool is_open = static_cast<double>(finding.saving_ns) <= recorder_ns;
    CHECK(lacks_bare_runs(answer(causes, finding.code)) == is_open);
    if (&finding == &causes.findings.front()) CHECK(causes.has_evidence() != is_open);
  }
}

CausesResult causes_of_device(const Trace& trace) {
  return *analyze(trace).devices.front().scope.causes;
}

TEST_CASE("a finding is open if the recorder may have added as much time as the finding saves") {
  for (const bool shares_queue : {true, false}) {
    const CausesResult causes = causes_of_device(queued(12, 18, shares_queue).trace);
    REQUIRE(*causes.estimated_added > 0.2);
    const auto wall = static_cast<double>(causes.replay.wall_ns);
    require_doubts(causes, wall - wall / (1 + *causes.estimated_added));
  }
  CHECK(lacks_bare_runs(causes_of_device(queued(12, 18).trace)));
}

TEST_CASE("where recording adds little, nothing is doubted") {
  // Each recorded launch takes 9 us. Recording added 1 us of this.
  const CausesResult launches = causes_of_device(queued(36, 37).trace);
  CHECK_FALSE(launches.estimated_added);
  CHECK_FALSE(lacks_bare_runs(launches));
  // All of the added time overlaps with work of the device.
  const CausesResult device = causes_of_device(queued(12, 48).trace);
  CHECK_FALSE(device.estimated_added);
  CHECK(is_found(device, "queue-alias"));
  CHECK(device.is_conclusive());
}

TEST_CASE("a calibration decides") {
  Program program = queued(12, 18);
  program.trace.call_costs = typical_costs();
  program.trace.call_costs.created = "2026-11-22T14:00:00Z";
  const CausesResult causes = causes_of_device(program.trace);
  CHECK_FALSE(causes.estimated_added);
  CHECK(is_found(causes, "queue-alias"));
  CHECK_FALSE(lacks_bare_runs(causes));
  program.trace.call_costs.ns["launch"] = 10;
  CHECK_FALSE(is_found(causes_of_device(program.trace), "queue-alias"));
}

// Returns the causes of a range around all work. In a bare run, the range took bare_ns.
CausesResult with_bare_run(Program program, std::int64_t bare_ns) {
  Trace& trace = program.trace;
  const std::int64_t end = 360 * program.unit;
  const std::int64_t tid = trace.calls.threads.front().global_tid;
  trace.ranges.push_back({{0, end}, tid});
  const std::string name(trace.names.text(0));
  for (const bool is_recorded : {true, false}) {
    const std::int64_t run = is_recorded ? 1 : 2;
    trace.runs.push_back({run, is_recorded, 0, std::nullopt, 1, end});
    trace.runs.push_back({run, is_recorded, 0, name, 1, is_recorded ? end : bare_ns});
  }
  AnalyzeOptions options;
  options.ranges = {name};
  return *analyze(trace, options).devices.front().ranges.front().scope.causes;
}

// The recorded range takes 90 us. The finding "queue-alias" saves more than the time that the
// recorder added, so the recorder alone cannot be its reason. The finding therefore remains, even
// if the correction does not fit the bare run.
TEST_CASE("bare runs show whether the calibrated costs fit") {
  const CausesResult fits = with_bare_run(queued(12, 18), 72'000);
  REQUIRE(fits.correction);
  CHECK(fits.correction->calibrated.empty());
  CHECK(std::abs(*fits.correction->bare_error) < 0.1);
  CHECK(is_found(fits, "queue-alias"));
  CHECK_FALSE(lacks_bare_runs(fits));

  const CausesResult fails = with_bare_run(queued(12, 18), 85'000);
  CHECK(*fails.correction->bare_error < -0.1);
  REQUIRE(is_found(fails, "queue-alias"));
  const Correction& correction = *fails.correction;
  require_doubts(fails, static_cast<double>(correction.recorded_ns - correction.corrected_ns));
}

// Returns the causes of four equal iterations. Before the capture, an iteration took unrecorded_ns.
CausesResult armed(Program program, std::int64_t unrecorded_ns) {
  Trace& trace = program.trace;
  const std::int64_t tid = trace.calls.threads.front().global_tid;
  for (std::int64_t i = 0; i < 4; ++i) {
    trace.ranges.push_back({{90 * i * program.unit, 90 * (i + 1) * program.unit}, tid});
  }
  trace.unrecorded.range = std::string(trace.names.text(0));
  trace.unrecorded.ns.assign(3, unrecorded_ns);
  return causes_of_device(trace);
}

// Each recorded iteration takes 22.5 us.
TEST_CASE("iterations before an armed capture show whether the costs fit") {
  const CausesResult fits = armed(queued(12, 18), 18'000);
  CHECK(std::abs(*fits.correction->iterations_error) < 0.1);
  CHECK_FALSE(lacks_bare_runs(fits));

  const CausesResult fails = armed(queued(12, 18), 5'000);
  const Correction& correction = *fails.correction;
  CHECK(*correction.iterations_error > 0.1);
  require_doubts(fails, static_cast<double>(correction.recorded_ns - correction.corrected_ns));
}

TEST_CASE("a corrected scope has its wall among its measures") {
  Program program = queued(12, 18);
  program.trace.call_costs = typical_costs();
  const Report report = analyze(program.trace);
  const ScopeResult& scope = report.devices.front().scope;
  REQUIRE(scope.measures.back().measure == &corrected_wall);
  CHECK(std::get<Nanoseconds>(scope.measures.back().value).count ==
        scope.causes->correction->corrected_ns);
  const Report uncorrected = analyze(queued(12, 18).trace);
  for (const MeasureResult& result : uncorrected.devices.front().scope.measures) {
    CHECK(result.measure != &corrected_wall);
  }
}

}  // namespace
}  // namespace lapscope::analyzer

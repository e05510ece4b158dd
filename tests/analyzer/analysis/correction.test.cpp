#include <filesystem>
#include <numeric>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/what_if.h"
#include "cli/fix_argument.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;

using test::Program;

std::int64_t blame_ns(const CausesResult& causes) {
  return std::accumulate(causes.blame.begin(), causes.blame.end(), std::int64_t{0},
                         [](std::int64_t sum, const BlameRow& row) { return sum + row.ns; });
}

void require_conserved(const ScopeResult& scope) {
  REQUIRE(scope.causes);
  REQUIRE(scope.causes->correction);
  const Correction& correction = *scope.causes->correction;
  CHECK(correction.recorded_ns == scope.window.length());
  // The corrected run can take longer than the recorded run: more of its kernels overlap, and
  // overlapping kernels slow each other down. One recorded trace takes 0.04 % longer.
  CHECK(static_cast<double>(correction.corrected_ns) <=
        1.01 * static_cast<double>(correction.recorded_ns));
  CHECK(blame_ns(*scope.causes) == correction.corrected_ns);
  const auto& path = scope.causes->critical_path;
  if (!path.empty()) {
    CHECK(path.front().interval.start == scope.window.start);
    CHECK(path.back().interval.end == scope.window.start + correction.corrected_ns);
  }
  // The gaps show the idle time of the recorded run.
  std::int64_t gaps = 0;
  for (const auto& [code, ns] : times_of(scope.gaps)) gaps += ns;
  CHECK(gaps == scope.gaps.total_ns);
}

// Adds a calibration: the time in ns that recording adds to each kind of call.
void set_costs(Trace& trace) {
  trace.call_costs.created = "2026-11-22T14:00:00Z";
  trace.call_costs.ns = {{"launch", 1'351},       {"copy-async", 830},  {"query", 494},
                         {"synchronize", 508},    {"memset", 774},      {"record-event", 452},
                         {"wait-event", 480},     {"allocate", 1'300},  {"release", 1'300},
                         {"graph-launch", 3'000}, {"graph-node", 1'250}};
}

TEST_CASE("blame sums to the corrected wall, gaps to the recorded idle time") {
  for (const auto& entry : fs::directory_iterator(LAPSCOPE_TEST_TRACES)) {
    if (entry.path().extension() != ".sqlite") continue;
    INFO(entry.path().filename());
    Trace trace = read_trace(entry.path());
    set_costs(trace);
    AnalyzeOptions options;
    options.focus = Focus::automatic;
    const Report report = analyze(trace, options);
    for (const DeviceResult& device : report.devices) {
      require_conserved(device.scope);
      for (const RangeResult& range : device.ranges) require_conserved(range.scope);
    }
  }
}

// Each launch takes 40 us, of which recording adds 30 us. An op takes 10 us.
const char* const launches = R"(
thread 1  aaaabbbbccccddddeeee.
stream 1  ....A...B...C...D...E
)";

TEST_CASE("the correction removes the recorder's time from the calls of the host") {
  Program program(launches);
  program.trace.call_costs = {"2026-11-22T14:00:00Z", {{"launch", 30'000}}};
  const Report report = analyze(program.trace);
  const ScopeResult& scope = report.devices.front().scope;
  require_conserved(scope);
  CHECK(scope.window.length() == 170'000);
  // The trace shows no latency between ops, so an op starts at the end of the op before it.
  CHECK(scope.causes->correction->corrected_ns == 50'000);
  // The recorded run is idle for 4 gaps of 30 us.
  CHECK(scope.gaps.total_ns == 120'000);
  const auto& by_cause = *scope.gaps.by_cause;
  CHECK(by_cause[static_cast<std::size_t>(Cause::profiler)] == 120'000);
  // Savings refer to the corrected run.
  const WhatIfReport told = what_if(program.trace, {}, {cli::parse_fix("launch-overhead")});
  REQUIRE(told.scopes.size() == 1);
  REQUIRE(told.scopes.front().correction);
  CHECK(told.scopes.front().correction->recorded_ns == 170'000);
  CHECK(told.scopes.front().wall_ns == 50'000);
}

TEST_CASE("a correction after which another constraint comes first says so") {
  Program program(launches);
  program.trace.call_costs = {"2026-11-22T14:00:00Z", {{"launch", 30'000}}};
  const Report corrected = analyze(program.trace);
  const CausesResult& causes = *corrected.devices.front().scope.causes;
  CHECK(causes.correction->first_recorded == "launch-overhead");
  CHECK(causes.correction->first_corrected == "compute");
  program.trace.call_costs.ns["launch"] = 1'000;
  const Report same = analyze(program.trace);
  CHECK(same.devices.front().scope.causes->correction->first_recorded.empty());
}

TEST_CASE("evidence of a corrected run has the times of the trace") {
  Program program(launches);
  program.trace.call_costs = {"2026-11-22T14:00:00Z", {{"launch", 20'000}}};
  AnalyzeOptions options;
  const Report report = analyze(program.trace, options);
  const ScopeResult& scope = report.devices.front().scope;
  for (const FindingResult& finding : scope.causes->findings) {
    for (const Evidence& evidence : finding.evidence) {
      const auto& ops = program.trace.devices.front().ops;
      bool is_recorded = false;
      for (std::uint32_t op = 0; op < ops.size(); ++op) {
        is_recorded |= evidence.op_interval == ops.interval(op);
      }
      CHECK(is_recorded);
      CHECK(evidence.waiting.end == evidence.op_interval.start);
      CHECK(evidence.waiting.length() >= 0);
    }
  }
  REQUIRE_FALSE(scope.causes->findings.empty());
}

}  // namespace
}  // namespace lapscope::analyzer

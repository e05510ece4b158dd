#include <algorithm>
#include <filesystem>

#include "tests/analyzer/support/figures.h"
#include "tests/catch.h"

// Traces of a real GPU (tests/traces/README.md). The expected values follow from how
// stream_pipeline works, not from earlier output of the analyzer.
namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, Report>& reports() {
  return test::reports_of_folder(LAPSCOPE_TEST_TRACES);
}

const Report& report_of(const std::string& name) { return reports().at(name); }

double ratio(const Report& report, std::string_view name) {
  for (const MeasureResult& result : report.devices.at(0).scope.measures) {
    if (result.measure->name == name) return std::get<Ratio>(result.value).value();
  }
  FAIL("no measure " << name);
  return 0;
}

std::int64_t ns(const Report& report, std::string_view name) {
  for (const MeasureResult& result : report.devices.at(0).scope.measures) {
    if (result.measure->name == name) return std::get<Nanoseconds>(result.value).count;
  }
  FAIL("no measure " << name);
  return 0;
}

std::int64_t ops_on(const Report& report, Engine engine) {
  for (const EngineResult& result : report.devices.at(0).engines) {
    if (result.engine == engine) return result.ops;
  }
  return 0;
}

bool has_stream(const Report& report, StreamKind kind) {
  for (const StreamResult& result : report.devices.at(0).streams) {
    if (result.stream.kind == kind) return true;
  }
  return false;
}

constexpr const char* variants[] = {"stream_pipeline-serial", "stream_pipeline-default-stream",
                                    "stream_pipeline-overlapped"};

TEST_CASE("every recorded trace is complete, sound and says where it came from") {
  for (const auto& [name, report] : reports()) {
    INFO(name);
    // Recordings with NCCL leave out records of memory: the start of NCCL would add two thousand
    // rows.
    const bool has_nccl = name.starts_with("nccl-");
    REQUIRE(fs::file_size(fs::path(LAPSCOPE_TEST_TRACES) / (name + ".sqlite")) < 200'000);
    REQUIRE(report.trust == Trust::sound);
    // The row tracing-overhead is allowed, because the cost of tracing differs between machines.
    for (const HealthRow& row : report.health) {
      REQUIRE(
          (code_of(row) == "tracing-overhead" || (has_nccl && code_of(row) == "kind-left-out")));
    }
    REQUIRE_FALSE(report.trace.command.empty());
    REQUIRE_FALSE(report.trace.driver.empty());
    REQUIRE(report.trace.created.size() == std::string("2026-11-21T03:04:05Z").size());
    for (const DeviceResult& device : report.devices) REQUIRE_FALSE(device.name.empty());
  }
  REQUIRE(reports().size() >= 3);
}

TEST_CASE("all variants do the same work: 24 tiles in, computed, stamped and out") {
  for (const char* variant : variants) {
    INFO(variant);
    const Report& report = report_of(variant);
    REQUIRE(ops_on(report, Engine::h2d) == 24);
    REQUIRE(ops_on(report, Engine::d2h) == 24);
    REQUIRE(ops_on(report, Engine::compute) == 24 + 24 + 3);  // 3 launches calibrate the kernel
  }
}

TEST_CASE("the state table of a recorded trace sums to its wall, busy and idle time too") {
  for (const char* variant : variants) {
    INFO(variant);
    const Report& report = report_of(variant);
    std::int64_t total = 0;
    for (const StateTime& state : report.devices.at(0).scope.states) total += state.ns;
    REQUIRE(total == ns(report, "wall"));
    REQUIRE(ns(report, "busy") + ns(report, "idle") == ns(report, "wall"));
  }
}

TEST_CASE("in one stream nothing overlaps, and the gaps cost a little") {
  const Report& report = report_of("stream_pipeline-serial");
  REQUIRE(ratio(report, "overlap_ratio") < 0);
  REQUIRE(ratio(report, "overlap_ratio") > -0.08);
  REQUIRE(ratio(report, "busy_overlap_ratio") == 0);
  REQUIRE(ratio(report, "copy_hidden") == 0);
}

TEST_CASE("a kernel per tile in the default stream serializes three streams") {
  const Report& report = report_of("stream_pipeline-default-stream");
  REQUIRE(ratio(report, "overlap_ratio") < 0);
  REQUIRE(ratio(report, "overlap_ratio") > -0.08);
  REQUIRE(ratio(report, "copy_hidden") == 0);
  REQUIRE(has_stream(report, StreamKind::legacy_default));
  REQUIRE(has_stream(report, StreamKind::blocking));
}

TEST_CASE("without it, three engines share most of the time") {
  const Report& report = report_of("stream_pipeline-overlapped");
  REQUIRE(ratio(report, "overlap_ratio") > 0.60);
  REQUIRE(ratio(report, "overlap_ratio") < 2.0 / 3.0);
  // The copies hide the kernels: the kernels of a tile take 323 us, and each of its copies takes at
  // least 337 us.
  REQUIRE(ratio(report, "copy_hidden") > 0.8);
  REQUIRE(ratio(report, "bidirectional") > 0.85);
  REQUIRE_FALSE(has_stream(report, StreamKind::legacy_default));
  REQUIRE_FALSE(has_stream(report, StreamKind::blocking));
}

// The screen shows verdict, idle time and blame together, so they must agree.
TEST_CASE("verdict, idle time and blame all name the default stream first") {
  const Report& report = report_of("stream_pipeline-default-stream");
  const ScopeResult& scope = report.devices.at(0).scope;
  const std::string_view barrier = code_of(Cause::default_stream_barrier);
  REQUIRE(scope.causes->findings.front().code == barrier);
  const auto times = times_of(scope.gaps);
  const auto longest = std::max_element(
      times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  CHECK(longest->first == barrier);
  const auto wait = std::find_if(scope.causes->blame.begin(), scope.causes->blame.end(),
                                 [](const BlameRow& row) { return row.kind == BlameKind::wait; });
  CHECK(wait->code == barrier);
}

}  // namespace
}  // namespace lapscope::analyzer

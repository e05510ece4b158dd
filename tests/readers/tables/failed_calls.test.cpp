#include "readers/tables/reading_health.h"

#include "reports/words/health_words.h"
#include "tests/catch.h"
#include "tests/readers/nsys/exported.h"

namespace lapscope::analyzer {
namespace {

using test::ExportFile;
using test::ms;
using test::NsysRelease;
using test::read_export;

// Makes a trace with a copy, then `launches` launches, then a wait. The first `failing` launches
// fail with `error`. The wait returns `waited`.
Trace trace_with(int launches, int failing, std::int64_t error, std::int64_t waited = 0) {
  return read_export(NsysRelease::r2026, [&](ExportFile& file) {
    file.copy(1, ms, 2 * ms, file.call("cudaMemcpyAsync_v3020", ms / 2, ms / 2 + 5'000));
    std::int64_t at = 2 * ms;
    for (int i = 0; i < launches; ++i, at += 20'000) {
      const bool fails = i < failing;
      const std::int64_t launch =
          file.call("cudaLaunchKernel_v7000", at, at + 4'000, fails ? error : 0);
      if (!fails) file.kernel("k", at + 5'000, at + 15'000, launch);
    }
    file.wait(file.call("cudaDeviceSynchronize_v3020", at, at + 10'000, waited), 4);
  });
}

TEST_CASE("launches that fail are said first, with the error, and what ran all the same") {
  const Trace none = trace_with(32, 32, 222);
  REQUIRE(none.health.at(0).kind == HealthKind::launches_failed);
  CHECK(reports::message_of(none.health[0]) ==
        "32 launches failed with error 222 (unsupported PTX version); no kernel ran.");
  CHECK(severity_of(none.health[0]) == Severity::error);
  const Trace half = trace_with(4, 2, 12345);
  CHECK(reports::message_of(half.health.at(0)) ==
        "2 launches failed with error 12345; 2 kernels of other calls ran.");
}

// Two of five launches fail. The records of the other three kernels may be lost.
TEST_CASE("only if all launches failed, the message says that no kernel ran") {
  const Trace trace = read_export(NsysRelease::r2026, [](ExportFile& file) {
    file.copy(1, ms, 2 * ms, file.call("cudaMemcpyAsync_v3020", ms / 2, ms / 2 + 5'000));
    for (int i = 0; i < 5; ++i) {
      const std::int64_t at = (3 + i) * ms;
      file.call("cudaLaunchKernel_v7000", at, at + 4'000, i < 2 ? 701 : 0);
    }
  });
  REQUIRE(trace.health.at(0).kind == HealthKind::launches_failed);
  CHECK(reports::message_of(trace.health[0]) ==
        "2 launches failed with error 701 (too many resources requested for launch); of 3 that "
        "succeeded no kernel was recorded.");
}

TEST_CASE("a launch that fails by exception leaves the rest what it is") {
  const Trace trace = trace_with(30, 2, 701);
  REQUIRE(trace.health.at(0).kind == HealthKind::some_launches_failed);
  CHECK(severity_of(trace.health[0]) == Severity::warning);
  CHECK_FALSE(hides_causes(trace.health));
}

TEST_CASE("copies and waits that fail are told apart from launches") {
  Trace trace = read_export(NsysRelease::r2026, [](ExportFile& file) {
    file.call("cudaMemcpy_v3020", ms, ms + 5'000, 1);
    file.kernel("k", 3 * ms, 4 * ms, file.call("cudaLaunchKernel_v7000", 2 * ms, 2 * ms + 5'000));
    file.call("cudaEventQuery_v3020", 3 * ms, 3 * ms + 1'000, 600);  // "not ready" is no failure
  });
  REQUIRE(trace.health.at(0).kind == HealthKind::transfers_failed);
  CHECK(reports::message_of(trace.health[0]) ==
        "1 call that copies or sets memory failed with error 1 (invalid value); no copy or memset "
        "ran.");
  trace = trace_with(3, 0, 0, 700);
  REQUIRE(trace.health.at(0).kind == HealthKind::waits_failed);
  CHECK(reports::message_of(trace.health[0]) ==
        "1 wait failed with error 700 (illegal memory access), because earlier work failed.");
}

// Exports also have the call of the driver inside the call of the runtime. Both failed.
TEST_CASE("a call that failed because of the call inside it counts once") {
  const Trace trace = read_export(NsysRelease::r2026, [](ExportFile& file) {
    file.copy(1, ms, 2 * ms, file.call("cudaMemcpyAsync_v3020", ms / 2, ms / 2 + 5'000));
    file.call("cudaLaunchKernel_v7000", 2 * ms, 2 * ms + 9'000, 98);
    file.call("cuLaunchKernel", 2 * ms + 1'000, 2 * ms + 8'000, 500);
  });
  REQUIRE(trace.health.at(0).kind == HealthKind::launches_failed);
  CHECK(trace.health[0].count == 1);
  CHECK(std::get<std::int64_t>(trace.health[0].details.at(0)) == 98);
}

TEST_CASE("with calls that failed no cause is looked for, and figures stay") {
  const Report report = analyze(trace_with(32, 32, 222), {});
  CHECK(report.trust == Trust::inconclusive);
  REQUIRE(report.devices.size() == 1);
  CHECK_FALSE(report.devices[0].scope.causes);
  CHECK(report.devices[0].scope.ops == 1);
}

}  // namespace
}  // namespace lapscope::analyzer

#include "tests/catch.h"
#include "tests/readers/nsys/exported.h"

namespace lapscope::analyzer {
namespace {

using test::blamed;
using test::causes_of;
using test::ExportFile;
using test::ms;
using test::NsysRelease;
using test::read_export;
using test::row_of;

TEST_CASE("every release names itself and its GPU") {
  const auto one_kernel = [](ExportFile& file) {
    file.kernel("k", 10 * ms, 20 * ms, file.call("cudaLaunchKernel_v7000", 1 * ms, 1 * ms + 5'000));
  };
  for (const NsysRelease release :
       {NsysRelease::r2020, NsysRelease::r2022, NsysRelease::r2024, NsysRelease::r2026}) {
    const Trace trace = read_export(release, one_kernel);
    REQUIRE(trace.devices.size() == 1);
    const Device& device = trace.devices[0];
    CHECK(device.name == "Some GPU");
    CHECK(device.limits.multiprocessors == 80);
    CHECK(device.limits.copy_engines == (release == NsysRelease::r2020 ? 7 : 2));
    REQUIRE(device.streams.size() == 2);
    CHECK(device.streams[0].kind == StreamKind::legacy_default);
    CHECK(device.streams[1].kind ==
          (release == NsysRelease::r2020 ? StreamKind::unknown : StreamKind::non_blocking));
    CHECK(row_of(trace.health, "missing-table") == nullptr);
  }
  CHECK(read_export(NsysRelease::r2020, one_kernel).facts.format == "nsys/unknown");
  CHECK(read_export(NsysRelease::r2022, one_kernel).facts.format == "nsys/2.9.1");
  CHECK(read_export(NsysRelease::r2022, one_kernel).facts.recorder == "Nsight Systems 2022.2.1.31");
}

//   thread     l.sssssssssssl.s..      l launches, s waits for the device until K ends
//   stream 13  .KKKKKKKKKKKKK.KK
TEST_CASE("a wait that ends with its op is work of this op, in every release") {
  const auto waiting = [](std::int64_t type) {
    return [type](ExportFile& file) {
      for (std::int64_t i = 0; i < 4; ++i) {
        const std::int64_t begin = i * 12 * ms;
        const std::int64_t launch = file.call("cudaLaunchKernel_v7000", begin, begin + 5'000);
        file.kernel("k", begin + 8'000, begin + 11 * ms, launch);
        file.wait(file.call("cudaDeviceSynchronize_v3020", begin + 20'000, begin + 11 * ms + 5'000),
                  type);
      }
    };
  };
  const std::vector<std::pair<NsysRelease, std::int64_t>> types = {
      {NsysRelease::r2022, 1}, {NsysRelease::r2024, 0}, {NsysRelease::r2026, 4}};
  for (const auto& [release, type] : types) {
    const Trace trace = read_export(release, waiting(type));
    REQUIRE(trace.synchronizations.size() == 4);
    CHECK(trace.synchronizations[0].kind == SyncKind::context);
    const CausesResult causes = causes_of(trace);
    CHECK(blamed(causes, "compute") > 43 * ms);
    CHECK(blamed(causes, "host-sync") < 1 * ms);
  }
}

TEST_CASE("where records of events are not numbered, a wait is for the latest one before it") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    for (std::int64_t i = 0; i < 2; ++i) {
      file.record_event(file.call("cudaEventRecord_v3020", i * 100, i * 100 + 10), 1);
      file.wait(file.call("cudaEventSynchronize_v3020", i * 100 + 20, i * 100 + 30), 2, 1);
    }
    file.kernel("k", 300, 400, 0);
  });
  REQUIRE(trace.event_records.size() == 2);
  REQUIRE(trace.synchronizations.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(trace.synchronizations[i].kind == SyncKind::event);
    CHECK(trace.synchronizations[i].event_sync == trace.event_records[i].event_sync);
  }
  CHECK(trace.event_records[0].event_sync != trace.event_records[1].event_sync);
}

//   thread   R1--  W1--  R2--  W2--
TEST_CASE("a column for numbers of event records joins nothing where only one side has numbers") {
  const char* const numbers =
      GENERATE("SELECT 1", "UPDATE CUPTI_ACTIVITY_KIND_CUDA_EVENT SET eventSyncId = rowid + 10",
               "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET eventSyncId = rowid + 10",
               "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET eventSyncId = 4294967295;"
               "UPDATE CUPTI_ACTIVITY_KIND_CUDA_EVENT SET eventSyncId = 0");
  const Trace trace = read_export(NsysRelease::r2026, [numbers](ExportFile& file) {
    for (std::int64_t i = 0; i < 2; ++i) {
      file.record_event(file.call("cudaEventRecord_v3020", i * 100, i * 100 + 10), 1);
      file.wait(file.call("cudaEventSynchronize_v3020", i * 100 + 20, i * 100 + 30), 1, 1);
    }
    file.kernel("k", 1'000, 2'000, 0);
    file.sql(numbers);
  });
  REQUIRE(trace.event_records.size() == 2);
  REQUIRE(trace.synchronizations.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(trace.synchronizations[i].event_sync != 0);
    CHECK(trace.synchronizations[i].event_sync == trace.event_records[i].event_sync);
  }
  CHECK(trace.event_records[0].event_sync != trace.event_records[1].event_sync);
}

//   thread     lr.eeeeeeeeeee    e waits for the event after K. The event has no record, but the
//   stream 13  .KKKKKKKKKKKKK    wait ends with K, and nothing else of the process runs.
TEST_CASE("a wait for an event without a record is for the op that ended with the wait") {
  const Trace trace = read_export(NsysRelease::r2024, [](ExportFile& file) {
    for (std::int64_t i = 0; i < 2; ++i) {
      const std::int64_t at = i * 20 * ms;
      file.kernel("k", at + 8'000, at + 19 * ms,
                  file.call("cudaLaunchKernel_v7000", at, at + 5'000));
      file.call("cudaEventRecord_v3020", at + 6'000, at + 7'000);
      file.wait(file.call("cudaEventSynchronize_v3020", at + 20'000, at + 19 * ms + 5'000), 1, 1);
    }
  });
  CHECK(blamed(causes_of(trace), "compute") > 37 * ms);
}

//   thread     .........b.c       the call of A is not in the trace, B was issued while A ran
//   stream 13  AAAAAAAAAAAABBBC
TEST_CASE("an op without a call is in its place in its stream") {
  const Trace trace = read_export(NsysRelease::r2026, [](ExportFile& file) {
    file.kernel("a", 1 * ms, 50 * ms, 0);
    file.kernel("a", 50 * ms + 1'000, 60 * ms, 0);
    file.kernel("b", 60 * ms + 1'000, 70 * ms,
                file.call("cudaLaunchKernel_v7000", 40 * ms, 40 * ms + 5'000));
    file.kernel("b", 70 * ms + 1'000, 80 * ms,
                file.call("cudaLaunchKernel_v7000", 41 * ms, 41 * ms + 5'000));
  });
  const CausesResult causes = causes_of(trace);
  CHECK(blamed(causes, "unexplained") == 0);
  CHECK(blamed(causes, "compute") > 78 * ms);
}

}  // namespace
}  // namespace lapscope::analyzer

#include <set>

#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

namespace lapscope::inject {
namespace {

using test::RecordedRun;

TEST_CASE("a recorded program leaves one complete trace with all its work", "[end-to-end]") {
  const RecordedRun run({"init", "work=10", "committed", "work=5", "exit=3"});
  CHECK(run.exit_status() == 3);
  CHECK(run.folder().names() == std::vector<std::string>{"t.sqlite"});
  CHECK(run.rows<schema::KernelRow>().size() == 15);
  CHECK(run.rows<schema::MemcpyRow>().size() == 15);
  CHECK(run.rows<schema::GpuRow>().size() == 1);
  CHECK(run.rows<schema::ContextRow>().size() == 1);
  CHECK(run.rows<schema::StreamRow>().size() == 3);
  CHECK(run.rows<schema::LossRow>().empty());
  CHECK(run.fact("recording") == "complete");
  CHECK(run.fact("exit-status") == "3");
  CHECK_FALSE(run.fact("problem").has_value());
  CHECK(run.trace().query_text("PRAGMA integrity_check") == "ok");
  CHECK(run.says("30 ops in "));
  CHECK(run.says(" 0 records lost"));
}

TEST_CASE("every operation finds the call that issued it", "[end-to-end]") {
  const RecordedRun run({"init", "work=10"});
  CHECK(run.trace().query_int64(
            "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r "
            "ON r.correlationId = k.correlationId AND r.globalTid >> 24 = k.globalPid >> 24 "
            "JOIN StringIds s ON s.id = r.nameId WHERE s.value = 'cudaLaunchKernel_v7000'") == 10);
  CHECK(run.trace().query_text("SELECT DISTINCT s.value FROM CUPTI_ACTIVITY_KIND_MEMCPY m JOIN "
                               "CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) "
                               "JOIN StringIds s ON s.id = r.nameId") == "cudaMemcpyAsync_v3020");
}

TEST_CASE("times count from the session start", "[end-to-end]") {
  const RecordedRun run({"init", "work=10"});
  constexpr std::int64_t a_minute = 60'000'000'000;
  for (const auto& kernel : run.rows<schema::KernelRow>()) {
    CHECK(kernel.start > 0);
    CHECK(kernel.start < a_minute);
    CHECK(kernel.end == kernel.start + 5000);
  }
}

TEST_CASE("calls that explain nothing are not recorded", "[end-to-end]") {
  const RecordedRun run({"init", "work=10"});
  CHECK(run.rows<schema::ApiCallRow>().size() == 20);
  CHECK(run.trace().query_int64(
            "SELECT count(*) FROM StringIds WHERE value LIKE 'cudaGetDevice%'") == 0);
}

TEST_CASE("payloads of NVTX ranges are in the trace, each with its range", "[end-to-end]") {
  const RecordedRun run({"nvtx", "init", "work=1", "send=4:200", "work=1", "exit=0"});
  CHECK(run.rows<schema::LossRow>().empty());
  const std::string of_payloads =
      " FROM NVTX_EVENTS e JOIN StringIds s ON s.id = e.jsonTextId WHERE e.end IS NOT NULL";
  CHECK(run.trace().query_int64("SELECT count(*)" + of_payloads) == 800);
  // The payloads of a thread are in the order of its pushes.
  const std::string bytes = "(CAST(substr(s.value, instr(s.value, ':') + 1) AS INTEGER))";
  CHECK(run.trace().query_int64("SELECT count(DISTINCT " + bytes + ")" + of_payloads) == 800);
  CHECK(run.trace().query_int64("SELECT count(DISTINCT e.globalTid || ' ' || (" + bytes +
                                " / 1000))" + of_payloads) == 4);
  CHECK(run.trace().query_int64("SELECT count(*) FROM (SELECT " + bytes + " AS bytes, lag(" +
                                bytes +
                                ") OVER (PARTITION BY e.globalTid ORDER BY e.start) AS before" +
                                of_payloads + ") WHERE bytes != before + 1") == 0);
}

TEST_CASE("work that fills many buffers arrives whole", "[end-to-end]") {
  constexpr int launches = 30'000;  // about 12 MB of records, in buffers of 2 MiB
  const RecordedRun run({"init", "work=" + std::to_string(launches)});
  CHECK(run.ops() == 2 * launches);
  std::set<std::int64_t> correlations;
  for (const auto& kernel : run.rows<schema::KernelRow>()) {
    correlations.insert(kernel.correlationId.value_or(0));
  }
  CHECK(correlations.size() == launches);
  CHECK(run.rows<schema::LossRow>().empty());
}

TEST_CASE("NVTX ranges are recorded through the libcupti that is there", "[end-to-end]") {
  const RecordedRun run({"init", "nvtx", "work=2"});
  CHECK(run.out() == "nvtx 1\n");
  const auto ranges = run.rows<schema::NvtxRow>();
  REQUIRE(ranges.size() == 1);
  CHECK(ranges[0].end.has_value());
  CHECK(run.trace().query_text("SELECT value FROM StringIds JOIN NVTX_EVENTS ON id = textId") ==
        "work");
}

TEST_CASE("a host function's stream is told by a callback", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "host-function=13", "committed", "host-function=14"});
  const auto rows = run.rows<schema::HostFuncRow>();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].streamId == 13);
  CHECK(rows[1].streamId == 14);
  CHECK(run.trace().query_int64(
            "SELECT count(*) FROM LAPSCOPE_HOST_FUNCS h JOIN CUPTI_ACTIVITY_KIND_RUNTIME r "
            "USING (correlationId, globalTid) JOIN StringIds s ON s.id = r.nameId "
            "WHERE s.value = 'cudaLaunchHostFunc_v10000'") == 2);
  CHECK(run.rows<schema::LossRow>().empty());
}

const std::vector<std::string> events_and_waits = {
    "init",           "work=1",           "make-event=5",
    "record-event=5", "wait-for-event=5", "committed",
    "make-event=5",   "make-event=6",     "wait-for-event=5",
    "record-event=6", "wait-for-event=6"};

std::int64_t enable_result(const RecordedRun& run, const std::string& kind) {
  return run.trace()
      .query_int64("SELECT enableResult FROM LAPSCOPE_RECORDS WHERE name = '" + kind + "'")
      .value_or(-1);
}

TEST_CASE("events and waits are told by callbacks", "[end-to-end]") {
  const RecordedRun run(events_and_waits);
  const auto records = run.rows<schema::CudaEventRow>();
  REQUIRE(records.size() == 2);
  CHECK(records[0].eventSyncId == 1);
  CHECK(records[0].streamId == 13);
  CHECK(records[1].eventSyncId == 2);
  const auto waits = run.rows<schema::SynchronizationRow>();
  REQUIRE(waits.size() == 3);
  CHECK(waits[0].eventSyncId == 1);
  CHECK(waits[0].streamId == 14);
  CHECK(waits[0].deviceId == 0);
  CHECK(waits[0].start > 0);
  CHECK(waits[0].end >= waits[0].start);
  // This event reuses a handle and was not recorded.
  CHECK(waits[1].eventSyncId == 0);
  CHECK(waits[2].eventSyncId == 2);
  CHECK(run.trace().query_int64(
            "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION w "
            "JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) "
            "JOIN StringIds s ON s.id = r.nameId WHERE s.value = 'cudaStreamWaitEvent_v3020'") ==
        3);
  CHECK(run.trace()
            .query_text("SELECT group_concat(name || ' ' || enableResult || ' ' || received, ', ') "
                        "FROM LAPSCOPE_RECORDS WHERE recordSize IS NULL AND kind > 0")
            .value_or("") == "CUDA_EVENT 0 2, SYNCHRONIZATION 0 3");
  CHECK(run.rows<schema::LossRow>().empty());
}

// The sync id comes from the synthetic records.
TEST_CASE("events and waits come from CUPTI's records if callbacks cannot report them",
          "[end-to-end]") {
  const std::vector<RecordedRun::Options> cases = {
      {.options = {"--event-times"}},
      {.options = {"--all-calls"}},
      {.options = {"--max-size", "50000000"}},
      {.environment = {{"FAKE_CUPTI_NO_CALLBACKS", "1"}}},
      // Callback 135 is cudaEventRecord.
      {.environment = {{"FAKE_CUPTI_REFUSED_CALLBACK", "135"}}},
  };
  for (const RecordedRun::Options& options : cases) {
    INFO(options.options.size() << " options, " << options.environment.size() << " variables");
    const RecordedRun run(events_and_waits, options);
    const auto records = run.rows<schema::CudaEventRow>();
    const auto waits = run.rows<schema::SynchronizationRow>();
    CHECK(records.size() == 2);
    CHECK(waits.size() == 3);
    for (const auto& record : records) CHECK(record.eventSyncId == 1000);
    for (const auto& wait : waits) CHECK(wait.eventSyncId == 1000);
    CHECK(enable_result(run, "SYNCHRONIZATION") == 0);
    CHECK(enable_result(run, "CUDA_EVENT") == 0);
  }
}

TEST_CASE("events and waits are left out one by one", "[end-to-end]") {
  const auto left_out = [](const std::string& option) {
    RecordedRun::Options options;
    options.options = {option};
    return RecordedRun(events_and_waits, options);
  };
  const RecordedRun no_events = left_out("--no-events");
  CHECK_FALSE(no_events.trace().has_table("CUPTI_ACTIVITY_KIND_CUDA_EVENT"));
  CHECK(enable_result(no_events, "CUDA_EVENT") == -1);
  CHECK(no_events.rows<schema::SynchronizationRow>().size() == 3);
  const RecordedRun no_waits = left_out("--no-synchronization");
  CHECK_FALSE(no_waits.trace().has_table("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"));
  CHECK(enable_result(no_waits, "SYNCHRONIZATION") == -1);
  CHECK(no_waits.rows<schema::CudaEventRow>().size() == 2);
  const RecordedRun light = left_out("--light");
  CHECK_FALSE(light.trace().has_table("CUPTI_ACTIVITY_KIND_CUDA_EVENT"));
  CHECK_FALSE(light.trace().has_table("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"));
}

TEST_CASE("the counts of LAPSCOPE_RECORDS are those of the rows", "[end-to-end]") {
  const RecordedRun run({"init", "work=7"});
  const auto received = [&run](const std::string& name) {
    return run.trace().query_int64("SELECT received FROM LAPSCOPE_RECORDS WHERE name = '" + name +
                                   "'");
  };
  CHECK(received("CONCURRENT_KERNEL") == 7);
  CHECK(received("MEMCPY") == 7);
  CHECK(received("RUNTIME") == 14);
  CHECK(received("STREAM") == 3);
  CHECK(received("MEMSET") == 0);
}

TEST_CASE("the trace can be read while the program runs", "[end-to-end]") {
  const test::TemporaryFolder folder;
  const auto path = folder / "t.sqlite";
  const auto command = test::record_command(
      path, LAPSCOPE_FAKE_CUPTI,
      {"init", "work=10", "await=" + (folder / "go").string(), "work=1", "exit=0"});
  test::Child recording([&] { return test::run(command).exit_status; });
  // A reader sees complete commits only.
  std::optional<std::int64_t> kernels;
  const bool seen = test::eventually([&] {
    try {
      schema::Database database(path, schema::Database::Mode::read_only);
      if (!database.has_table("CUPTI_ACTIVITY_KIND_KERNEL")) return false;
      kernels = database.query_int64("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL");
      return true;
    } catch (const schema::SqliteError&) {
      return false;  // the row does not exist yet
    }
  });
  test::write_file(folder / "go", "");
  CHECK(recording.wait().exit_status == 0);
  REQUIRE(seen);
  CHECK(kernels == 10);
}

}  // namespace
}  // namespace lapscope::inject

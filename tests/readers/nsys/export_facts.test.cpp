#include <algorithm>
#include <cstdlib>
#include <string>

#include "collector/schema/global_id.h"
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
using test::TemporaryFolder;

// The rows of TARGET_INFO_GPU are in the order of the driver. An op has CUDA's number of its GPU.
TEST_CASE("the GPU of an op is found by CUDA's number, not by its row") {
  const auto two_gpus = [](ExportFile& file) {
    file.sql(
        "UPDATE TARGET_INFO_GPU SET cuDevice = 1;"
        "INSERT INTO TARGET_INFO_GPU VALUES (1, 1, 'Other GPU', 0, 34, 32, 48, 24, 65536,"
        "  102400, 1);");
    file.kernel("k", 10 * ms, 20 * ms, 0);
  };
  CHECK(read_export(NsysRelease::r2022, two_gpus).devices.at(0).name == "Other GPU");
  const Trace numbered = read_export(NsysRelease::r2026, [&](ExportFile& file) {
    two_gpus(file);
    file.sql(
        "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);"
        "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 100), (1, 1, 100);");
  });
  CHECK(numbered.devices.at(0).name == "Some GPU");
}

// With different values of CUDA_VISIBLE_DEVICES, device 0 of process 100 is another GPU than device
// 0 of process 200:
//
//   process 100   [k  ]
//   process 200      [k  ]
TEST_CASE("if two processes give one number to different GPUs, the result is open") {
  const auto shared = [](const std::string& second_gpu, bool both_work) {
    return read_export(NsysRelease::r2026, [&](ExportFile& file) {
      file.sql("INSERT INTO TARGET_INFO_GPU SELECT vmId, 1, '" + second_gpu +
               "', cuDevice, smCount, threadsPerWarp, maxWarpsPerSm, maxBlocksPerSm,"
               "  maxRegistersPerSm, maxShmemPerSm, asyncEngines FROM TARGET_INFO_GPU;"
               "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);"
               "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 100), (1, 0, 200);");
      file.kernel("k", 10 * ms, 20 * ms, 0);
      file.kernel("k", 15 * ms, 25 * ms, 0);
      if (!both_work) return;
      file.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = " +
               std::to_string(schema::global_pid(200)) + " WHERE start = 15000000");
    });
  };
  for (const char* const second : {"Some GPU", "Other GPU"}) {
    const Trace trace = shared(second, true);
    const HealthRow* const row = row_of(trace.health, "shared-device-number");
    REQUIRE(row != nullptr);
    CHECK(severity_of(*row) == Severity::error);
    CHECK(row->count == 2);
    CHECK(row_of(trace.health, "unknown-device") == nullptr);
    const bool is_one_type = second == std::string_view("Some GPU");
    CHECK(trace.devices.at(0).name == (is_one_type ? "Some GPU" : ""));
  }
  // Only process 100 has ops.
  const Trace one = shared("Other GPU", false);
  CHECK(row_of(one.health, "shared-device-number") == nullptr);
  CHECK(one.devices.at(0).name == "Some GPU");
}

TEST_CASE("GPUs are known by a column of another name, too") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    file.sql(
        "ALTER TABLE TARGET_INFO_GPU RENAME COLUMN id TO deviceId;"
        "ALTER TABLE TARGET_INFO_GPU DROP COLUMN cuDevice;");
    file.kernel("k", 10 * ms, 20 * ms, 0);
  });
  CHECK(trace.devices.at(0).name == "Some GPU");
  CHECK(trace.devices.at(0).limits.multiprocessors == 80);
}

// Adds four tiles, issued one after the other. The GPU copies in one direction at a time.
void tiles(ExportFile& file) {
  std::int64_t at = 10 * ms;
  for (std::int64_t i = 0; i < 4; ++i) {
    const std::int64_t stream = 13 + i;
    const std::int64_t issue = 1 * ms + i * 40'000;
    file.copy(1, at, at + 8 * ms, file.call("cudaMemcpyAsync_v3020", issue, issue + 5'000), stream,
              100 << 20);
    file.kernel("k", at + 8 * ms + 10'000, at + 8 * ms + 100'000,
                file.call("cudaLaunchKernel_v7000", issue + 10'000, issue + 15'000), stream, 400);
    file.copy(2, at + 8 * ms + 110'000, at + 16 * ms,
              file.call("cudaMemcpyAsync_v3020", issue + 20'000, issue + 25'000), stream,
              100 << 20);
    at += 16 * ms + 5'000;
  }
}

TEST_CASE("a GPU with one copy engine is not predicted to copy both ways at once") {
  const auto with_engines = [](int count) {
    return causes_of(read_export(NsysRelease::r2026, [count](ExportFile& file) {
      tiles(file);
      file.copy_engines(count);
    }));
  };
  const CausesResult one = with_engines(1);
  CHECK(blamed(one, "unexplained") < 1 * ms);
  CHECK(std::abs(one.replay.error) < 0.02);
  CHECK(one.findings.empty());
  REQUIRE(one.advice.size() >= 1);
  CHECK(std::holds_alternative<OneCopyEngine>(one.advice[0].seen));
  const CausesResult two = with_engines(2);
  CHECK(two.unexplained_share > 0.2);
  CHECK(two.replay.blind_error < -0.2);
}

TEST_CASE("what was seen to copy both ways at once has more engines than it is said to have") {
  const Trace trace = read_export(NsysRelease::r2026, [](ExportFile& file) {
    file.copy(1, 10 * ms, 20 * ms, file.call("cudaMemcpyAsync_v3020", 0, 5'000), 13);
    file.copy(2, 11 * ms, 19 * ms, file.call("cudaMemcpyAsync_v3020", 6'000, 9'000), 14);
    file.copy_engines(1);
  });
  const CausesResult causes = causes_of(trace);
  CHECK(causes.replay.error < 0.1);
  CHECK(std::none_of(causes.advice.begin(), causes.advice.end(), [](const Advice& advice) {
    return std::holds_alternative<OneCopyEngine>(advice.seen);
  }));
}

// Adds tiles in one stream. Their kernels fill the device.
void serial_tiles(ExportFile& file, bool lists_gpu) {
  for (std::int64_t i = 0; i < 8; ++i) {
    const std::int64_t at = 10 * ms + i * 20 * ms;
    const std::int64_t issue = 1 * ms + i * 40'000;
    file.copy(1, at, at + 20'000, file.call("cudaMemcpyAsync_v3020", issue, issue + 5'000));
    file.kernel("k", at + 22'000, at + 20 * ms,
                file.call("cudaLaunchKernel_v7000", issue + 10'000, issue + 15'000), 13, 4'000);
  }
  if (!lists_gpu) file.sql("DROP TABLE TARGET_INFO_GPU");
}

TEST_CASE("whether kernels have room beside each other is open where the export lists no GPU") {
  const auto judged = [](bool lists_gpu) {
    return causes_of(read_export(NsysRelease::r2026,
                                 [lists_gpu](ExportFile& file) { serial_tiles(file, lists_gpu); }));
  };
  const CausesResult known = judged(true);
  CHECK(known.has_evidence());
  const CausesResult unknown = judged(false);
  CHECK_FALSE(unknown.has_evidence());
  const auto& asked = unknown.looked_for;
  const auto order = std::find_if(asked.begin(), asked.end(), [](const LookedFor& one) {
    return one.code == code_of(Cause::stream_order);
  });
  REQUIRE(order != asked.end());
  CHECK(order->leaves_open);
  CHECK(order->missing == std::vector<std::string_view>{"DEVICE"});
  CHECK(unknown.findings.empty());  // it is a question instead
  CHECK(unknown.questions.size() == 1);
}

TEST_CASE("what Nsight Systems says went wrong with CUDA decides what can be concluded") {
  const auto with = [](int severity, const char* text) {
    return read_export(NsysRelease::r2024, [&](ExportFile& file) {
      file.kernel("k", 10, 20, 0);
      file.diagnostic(severity, text);
      file.diagnostic(severity, "No OpenGL events collected. Does the process use OpenGL?");
    });
  };
  const Trace lost = with(2, "Not all CUDA events might have been collected.");
  REQUIRE(row_of(lost.health, "cuda-events-missing") != nullptr);
  CHECK(severity_of(*row_of(lost.health, "cuda-events-missing")) == Severity::error);
  CHECK(analyze(lost, {}).trust == Trust::inconclusive);
  const Trace ranges = with(2, "Not all NVTX events might have been collected.");
  REQUIRE(row_of(ranges.health, "nvtx-events-missing") != nullptr);
  CHECK(severity_of(*row_of(ranges.health, "nvtx-events-missing")) == Severity::warning);
  const Trace other = with(
      2, "CUDA device 0: Unified Memory cannot be traced on devices of this kind.Please verify.");
  REQUIRE(row_of(other.health, "export-diagnostic") != nullptr);
  CHECK(row_of(other.health, "export-diagnostic")->details ==
        Details{"CUDA device 0: Unified Memory cannot be traced on devices of this kind"});
  // Messages of success are not reported.
  CHECK(row_of(with(1, "CUDA injection initialized successfully.").health, "export-diagnostic") ==
        nullptr);
}

TEST_CASE("an export of a run without CUDA is known as one, and says that it is") {
  const TemporaryFolder folder;
  schema::Database(folder / "e.sqlite", schema::Database::Mode::create)
      .execute(
          "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
          "CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER, duration INTEGER);"
          "CREATE TABLE OSRT_API (start INTEGER, end INTEGER);");
  const Report report = analyze(read_trace(folder / "e.sqlite"), {});
  REQUIRE(row_of(report.health, "no-gpu-work") != nullptr);
  CHECK(row_of(report.health, "no-gpu-work")->kind == HealthKind::nsys_cuda_not_traced);
}

TEST_CASE("calls that launch without any work of the GPU are told as such") {
  const Trace trace = read_export(NsysRelease::r2026, [](ExportFile& file) {
    file.call("cudaLaunchKernel_v7000", 10, 20);
    file.call("cudaMemcpyAsync_v3020", 30, 40);
  });
  const Report report = analyze(trace, {});
  REQUIRE(row_of(report.health, "no-gpu-work") != nullptr);
  CHECK(row_of(report.health, "no-gpu-work")->count == 2);
  CHECK(row_of(report.health, "no-gpu-work")->kind == HealthKind::nsys_gpu_records_lost);
}

}  // namespace

}  // namespace lapscope::analyzer

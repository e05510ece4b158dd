#include "tests/catch.h"
#include "tests/readers/nsys/exported.h"

namespace lapscope::analyzer {
namespace {

using test::ExportFile;
using test::NsysRelease;
using test::read_export;
using test::row_of;
using test::TemporaryFolder;

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

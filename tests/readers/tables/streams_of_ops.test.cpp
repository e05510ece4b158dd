#include "readers/tables/streams_of_ops.h"

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

constexpr const char* without_tables =
    "DROP TABLE TARGET_INFO_CUDA_STREAM; DROP TABLE TARGET_INFO_CUDA_NULL_STREAM;";

// Adds twenty kernels of 0.9 ms. After each kernel, the host waits for the context.
void fill(ExportFile& file) {
  std::int64_t at = 1 * ms;
  for (int i = 0; i < 20; ++i) {
    file.kernel("k", at + 5'000, at + 905'000, file.call("cudaLaunchKernel_v7000", at, at + 4'000));
    file.wait(file.call("cudaDeviceSynchronize_v3020", at + 5'000, at + 908'000), 1);
    at += 915'000;
  }
}

TEST_CASE("a wait for a context is one for the ops of it, also without tables of streams") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    fill(file);
    file.sql(without_tables);
  });
  REQUIRE(trace.contexts.size() == 1);
  CHECK(trace.contexts[0].id == 1);
  CHECK(trace.devices.at(0).streams.at(0).context == 1);
  const CausesResult causes = causes_of(trace);
  CHECK(blamed(causes, "compute") == 20 * 900'000);
  CHECK(blamed(causes, "host-sync") < ms);
  CHECK(blamed(causes, "host-call") == 0);
}

TEST_CASE("a stream whose ops are of several contexts is of none that is known") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    fill(file);
    file.sql(without_tables);
    file.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET contextId = 2 WHERE start > 10000000");
  });
  CHECK(trace.contexts.size() == 2);
  CHECK(trace.devices.at(0).streams.at(0).context == 0);
  // The objects of the waits are therefore not known.
  const auto& recorded = trace.facts.recorded;
  CHECK(std::count(recorded.begin(), recorded.end(), "SYNCHRONIZATION") == 0);
}

}  // namespace
}  // namespace lapscope::analyzer

#include <string>

#include "readers/tables/inferred.h"
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

//   thread     LLLLLLLLLLLLLLLLl.l.l.l.l.    the first launch takes 15.9 ms, the others 5 us
TEST_CASE("if the first launch of a kernel takes far longer than others, it loads the kernel") {
  const auto launches = [](ExportFile& file) {
    std::int64_t at = 1 * ms;
    for (std::int64_t i = 0; i < 30; ++i) {
      const std::int64_t length = i == 0 ? 15'900'000 : 5'000;
      const std::int64_t launch = file.call("cudaLaunchKernel_v7000", at, at + length);
      file.kernel("k", at + length + 2'000, at + length + 40'000, launch);
      file.wait(file.call("cudaDeviceSynchronize_v3020", at + length + 3'000, at + length + 45'000),
                4);
      at += length + 50'000;
    }
    file.copy(1, 100'000, 110'000, file.call("cudaMemcpyAsync_v3020", 50'000, 55'000), 13, 64);
  };
  const Trace trace = read_export(NsysRelease::r2024, launches);
  REQUIRE(row_of(trace.health, "loads-inferred") != nullptr);
  CHECK(row_of(trace.health, "loads-inferred")->count == 1);
  const CausesResult causes = causes_of(trace);
  REQUIRE_FALSE(causes.findings.empty());
  CHECK(causes.findings[0].code == "module-load");
  CHECK(blamed(causes, "module-load") > 15 * ms);
  // Exports of release 2026 record loads. This one has no such record, so the launch took long for
  // another reason.
  CHECK(row_of(read_export(NsysRelease::r2026, launches).health, "loads-inferred") == nullptr);
}

// Three instantiations of a template share a short name. Each is launched ten times.
//
//   thread   [launch k<int> 6 ms ]l.l.l.[launch k<float> 7 ms  ]l.l.l.[launch k<half> 5 ms]l.l.
TEST_CASE("each instantiation of a template is loaded at its own first launch") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    std::int64_t at = 1 * ms;
    for (const auto& [name, load] : {std::pair("k<int>(int*)", 6 * ms),
                                     {"k<float>(float*)", 7 * ms},
                                     {"k<half>(half*)", 5 * ms}}) {
      for (int i = 0; i < 10; ++i) {
        const std::int64_t end = at + (i == 0 ? load : 6'000);
        file.kernel(name, end + 2'000, end + 12'000, file.call("cudaLaunchKernel_v7000", at, end));
        at = end + 20'000;
      }
    }
  });
  REQUIRE(row_of(trace.health, "loads-inferred") != nullptr);
  CHECK(row_of(trace.health, "loads-inferred")->count == 3);
  const CausesResult causes = causes_of(trace);
  REQUIRE_FALSE(causes.findings.empty());
  CHECK(causes.findings[0].code == "module-load");
  CHECK(blamed(causes, "module-load") == 12 * ms);
  CHECK(blamed(causes, "launch-overhead") < ms);
}

// CUDA_LAUNCH_BLOCKING: each launch lasts until its kernel has ended.
//
//   thread   [launch k0 910 us][launch k1 910 us]..
//   GPU       [k0 900 us     ]  [k1 900 us     ]
TEST_CASE("a launch that lasts while its kernel runs loads nothing") {
  const auto blocking = [](std::int64_t load) {
    return read_export(NsysRelease::r2022, [load](ExportFile& file) {
      std::int64_t at = 1 * ms;
      for (int i = 0; i < 20; ++i) {
        const std::int64_t starts = at + 5'000 + (i == 5 ? load : 0);
        const std::int64_t end = starts + 905'000;
        file.kernel("k" + std::to_string(i), starts, starts + 900'000,
                    file.call("cudaLaunchKernel_v7000", at, end));
        at = end + 5'000;
      }
    });
  };
  const Trace trace = blocking(0);
  CHECK(row_of(trace.health, "loads-inferred") == nullptr);
  CHECK(trace.overheads.empty());
  CHECK(blamed(causes_of(trace), "module-load") == 0);
  CHECK(blamed(causes_of(trace), "launch-blocking") > 0);
  // The launch of the sixth kernel includes 4 ms of loading. The 900 us in which the kernel then
  // runs do not count as loading.
  const Trace loading = blocking(4 * ms);
  REQUIRE(loading.overheads.size() == 1);
  CHECK(loading.overheads[0].interval.length() == 4 * ms + 5'000);
}

TEST_CASE("first launches that take what launches do load nothing") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    file.kernel("k", 10 * ms, 20 * ms,
                file.call("cudaLaunchKernel_v7000", 1 * ms, 1 * ms + 60'000));
  });
  CHECK(row_of(trace.health, "loads-inferred") == nullptr);
}

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

TEST_CASE("a wait for a context waits for its ops, also without tables of streams") {
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

TEST_CASE("if a stream has ops of several contexts, its context is unknown") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    fill(file);
    file.sql(without_tables);
    file.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET contextId = 2 WHERE start > 10000000");
  });
  CHECK(trace.contexts.size() == 2);
  CHECK(trace.devices.at(0).streams.at(0).context == 0);
  // The context of the stream is unknown. So it is unknown which ops a call waits for.
  const auto& recorded = trace.facts.recorded;
  CHECK(std::count(recorded.begin(), recorded.end(), "SYNCHRONIZATION") == 0);
}

}  // namespace

}  // namespace lapscope::analyzer

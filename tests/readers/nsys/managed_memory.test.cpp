#include "reports/words/findings.h"
#include "tests/catch.h"
#include "tests/readers/nsys/exported.h"

namespace lapscope::analyzer {
namespace {

using test::advice_of;
using test::causes_of;
using test::ExportFile;
using test::ms;
using test::NsysRelease;
using test::read_export;
using test::row_of;

//   stream 13   KKKKKKKKKKKKKKKK
//   migrations  .mmm.mmm.mmm....
TEST_CASE("for a kernel that waits for pages of managed memory, the advice is a prefetch") {
  const auto with_migrations_of = [](std::int64_t length) {
    return causes_of(read_export(NsysRelease::r2024, [length](ExportFile& file) {
      file.kernel("k", 10 * ms, 45 * ms,
                  file.call("cudaLaunchKernel_v7000", 1 * ms, 1 * ms + 5'000), 13, 4'000);
      for (std::int64_t i = 0; i < 3; ++i) {
        const std::int64_t at = 11 * ms + i * 10 * ms;
        file.copy(11, at, at + length, 0, 13, 2 << 20);
      }
    }));
  };
  const CausesResult waits = with_migrations_of(7 * ms);
  REQUIRE(waits.advice.size() == 1);
  CHECK(waits.advice[0].step() == AdviceStep::managed_memory);
  CHECK(waits.advice[0].is_main);
  CHECK(reports::sentences_of(waits.advice[0], waits)
            .starts_with("Pages of managed memory move during 60 % of the time in which kernels "
                         "run (3 migrations, "
                         "6.0 MiB): kernels wait for them, k for 21.0 of its 35.0 ms."));
  CHECK(with_migrations_of(1 * ms).advice.at(0).step() == AdviceStep::bound);
}

// Adds tables of page faults. Nsight Systems writes them since release 2022, and source lines since
// 2024.
void page_faults(ExportFile& file, NsysRelease release) {
  const bool has_lines = release == NsysRelease::r2024 || release == NsysRelease::r2026;
  file.sql(
      "CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER, end INTEGER, globalPid INTEGER,"
      "  deviceId INTEGER, address INTEGER, numberOfPageFaults INTEGER, faultAccessType INTEGER);"
      "CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start INTEGER, globalPid INTEGER,"
      "  address INTEGER, originalFaultPc INTEGER, CpuInstruction INTEGER, module INTEGER,"
      "  unresolvedFaultPc INTEGER" +
      std::string(has_lines ? ", SourceFile INTEGER, SourceLine INTEGER" : "") +
      ");"
      "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN virtualAddress INTEGER;"
      "INSERT INTO StringIds VALUES (900, 'sum_on_host');");
}

//   stream 13       KKKKKKKKKKLLLLLLLLLL    a letter is 1 ms
//   faults          .fff......f.........
//   migrations      ...mmmm.............
TEST_CASE(
    "the time of page faults of the GPU is shown for the kernel that waits most, in every "
    "release") {
  for (const NsysRelease release : {NsysRelease::r2022, NsysRelease::r2024, NsysRelease::r2026}) {
    const CausesResult causes = causes_of(read_export(release, [release](ExportFile& file) {
      file.kernel("k", 10 * ms, 20 * ms,
                  file.call("cudaLaunchKernel_v7000", 1 * ms, 1 * ms + 5'000), 13, 4'000);
      file.kernel("l", 20 * ms, 30 * ms,
                  file.call("cudaLaunchKernel_v7000", 2 * ms, 2 * ms + 5'000), 13, 4'000);
      page_faults(file, release);
      file.sql(
          "INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (11000000, 14000000, 0, 0, 4096, 7, 1),"
          "  (20000000, 21000000, 0, 0, 8192, 2, 2),"
          "  (20000000, 29000000, 0, 1, 8192, 2, 2);"  // another device
          "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId,"
          "  bytes, copyKind) VALUES (13000000, 17000000, 0, 1, 7, 2097152, 11);");
    }));
    const Advice* advice = advice_of(causes, "managed-memory");
    REQUIRE(advice != nullptr);
    CHECK(advice->is_main);
    CHECK(reports::sentences_of(*advice, causes)
              .starts_with("Pages of managed memory move, or faults on them are handled, during 35 "
                           "% of the time in "
                           "which kernels run (1 migration, 2.0 MiB, 9 page faults of the GPU): "
                           "kernels wait for "
                           "them, k for 6.0 of its 10.0 ms. Move the data before the launch"));
  }
}

// The host waits from a fault until the page is on the host: 2.5 ms for A, and 3.5 ms for B.
//
//   stream 13                 KKKK.........KKKK    a letter is 1 ms
//   faults on pages A and B   .....A..B.....A..
//   copies to the host        ......AA.BBB.....
TEST_CASE("the time of page faults of the host is shown, with the idle time of the GPU") {
  for (const NsysRelease release : {NsysRelease::r2022, NsysRelease::r2024, NsysRelease::r2026}) {
    const CausesResult causes = causes_of(read_export(release, [release](ExportFile& file) {
      file.kernel("k", 0, 4 * ms, file.call("cudaLaunchKernel_v7000", 0, 5'000), 13, 4'000);
      file.kernel("k", 13 * ms, 17 * ms,
                  file.call("cudaLaunchKernel_v7000", 12 * ms, 12 * ms + 5'000), 13, 4'000);
      page_faults(file, release);
      file.sql(
          "INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS (start, globalPid, address, CpuInstruction,"
          "  module) VALUES (5000000, 0, 4100, 900, 900), (8000000, 0, 8192, 900, 900),"
          "  (14000000, 0, 4100, 900, 900);"
          "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId,"
          "  bytes, copyKind, virtualAddress) VALUES (5500000, 7500000, 0, 1, 7, 4096, 12, 4096),"
          "  (8500000, 11500000, 0, 1, 7, 4096, 12, 8192),"
          "  (16000000, 16100000, 0, 1, 7, 4096, 12, 4096),"  // too late for the third fault
          "  (14100000, 14200000, 0, 1, 7, 4096, 11, 4096);"  // to the device
      );
    }));
    const Advice* advice = advice_of(causes, "host-pages");
    REQUIRE(advice != nullptr);
    CHECK_FALSE(advice->is_main);
    CHECK(reports::sentences_of(*advice, causes)
              .starts_with("For 35.3 % of the time the host waits for pages of managed memory that "
                           "it touches while "
                           "they are on a GPU (2 page faults, most in sum_on_host), and for 100 % "
                           "of that this GPU is "
                           "idle. Move results to the host before it reads them"));
  }
}

TEST_CASE("faults of which nobody knows what ended them are counted, and nothing is said of them") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    file.kernel("k", 0, 4 * ms, file.call("cudaLaunchKernel_v7000", 0, 5'000), 13, 4'000);
    page_faults(file, NsysRelease::r2022);
    file.sql(
        "INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS (start, globalPid, address) VALUES"
        "  (1000000, 0, 4096), (-5, 0, 4096), (NULL, NULL, 'text');");
  });
  CHECK(row_of(trace.health, "managed-migrations")->count == 3);
  CHECK(trace.host_faults.size() == 3);
  CHECK(advice_of(causes_of(trace), "host-pages") == nullptr);
}

}  // namespace
}  // namespace lapscope::analyzer

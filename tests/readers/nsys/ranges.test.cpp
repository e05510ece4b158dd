#include "reports/words/findings.h"
#include "tests/catch.h"
#include "tests/readers/nsys/exported.h"

// NVTX ranges of an export. Libraries open ranges in their own domains.
namespace lapscope::analyzer {
namespace {

using test::Containing;
using test::ExportFile;
using test::ms;
using test::NsysRelease;

// Rows with the columns of release 2026.2. A row of type 75 names a domain.
constexpr const char* nccl_domain =
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,"
    "  rangeId INTEGER, category INTEGER, color INTEGER, text TEXT, globalTid INTEGER,"
    "  endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER,"
    "  int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER,"
    "  floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);"
    "INSERT INTO StringIds VALUES (900, 'ncclAllReduce'), (901, 'NCCL');"
    "INSERT INTO NVTX_EVENTS (start, eventType, globalTid, textId, domainId) VALUES"
    "  (1, 75, (SELECT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 1), 901, 1);";

void nccl_range(ExportFile& file, std::int64_t start, std::int64_t end) {
  file.sql(
      "INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId, domainId, jsonText)"
      "  VALUES (" +
      std::to_string(start) + ", " + std::to_string(end) +
      ", 59, (SELECT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 1), 900, 1,"
      "  '{\"Message size [bytes]\":1048576,\"NCCL communicator ID\":7}');");
}

// Each step launches kernel K at k, and NCCL's kernel N at n:
//
//   default domain  [step            ][step            ]
//   NCCL's domain        [      ]          [      ]
//   thread           k        n        k        n
//   device            KKK      NNNNNNN  KKK      NNNNNNN
//   ms              0    5   10      18
Trace training(std::int64_t steps) {
  return test::read_export(NsysRelease::r2026, [steps](ExportFile& file) {
    for (std::int64_t i = 0; i < steps; ++i) {
      const std::int64_t begin = i * 18 * ms;
      file.kernel("gemm", begin + ms, begin + 4 * ms,
                  file.call("cudaLaunchKernel_v7000", begin, begin + 5'000));
      file.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", begin + 10 * ms, begin + 17 * ms,
                  file.call("cudaLaunchKernelExC_v11060", begin + 9 * ms, begin + 9 * ms + 5'000));
      if (i == 0) file.sql(nccl_domain);
      file.range("step", begin, begin + 18 * ms);
      nccl_range(file, begin + 5 * ms, begin + 10 * ms);
    }
  });
}

TEST_CASE("NCCL's ranges are read with their domain; what names the domain is no range") {
  const Trace trace = training(2);
  REQUIRE(trace.ranges.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const bool is_nccl = i % 2 == 1;
    CHECK(trace.names.text(trace.ranges[i].name) == (is_nccl ? "ncclAllReduce" : "step"));
    CHECK(trace.ranges[i].domain == (is_nccl ? 1 : 0));
    CHECK(trace.ranges[i].global_tid == trace.calls.threads.at(0).global_tid);
  }
  for (const HealthRow& row : trace.health) CHECK(severity_of(row) == Severity::info);
}

TEST_CASE("a range of NCCL's is judged when it is asked for, and its kernels communicate") {
  AnalyzeOptions options;
  options.ranges = {"ncclAllReduce"};
  const Report report = analyze(training(3), options);
  const DeviceResult& device = report.devices.at(0);
  REQUIRE(device.ranges.size() == 1);
  CHECK(device.ranges[0].instances == 3);
  REQUIRE(device.ranges[0].engines.size() == 1);
  CHECK(device.ranges[0].engines[0].ops == 3);
  REQUIRE(device.collectives.size() == 1);
  CHECK(device.collectives[0].name == "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
  CHECK(device.collectives[0].sum_ns == 3 * 7 * ms);
  CHECK(device.collectives[0].hidden_ns == 0);
}

TEST_CASE("the program's own ranges are its steady state, though NCCL's hold most work") {
  AnalyzeOptions options;
  options.focus = Focus::automatic;
  const Report report = analyze(training(2), options);
  const RangeResult* steady = steady_state_of(report.devices.at(0));
  REQUIRE(steady != nullptr);
  CHECK(steady->steady->state.range == "step");
}

TEST_CASE("where the GPU waits while the host is in NCCL, its range is named") {
  AnalyzeOptions options;
  options.focus = Focus::whole;
  const Report report = analyze(training(1), options);
  const GapsResult& gaps = report.devices.at(0).scope.gaps;
  REQUIRE(gaps.longest.size() == 1);
  REQUIRE_FALSE(gaps.longest[0].parts.empty());
  const GapPartResult& part = gaps.longest[0].parts[0];
  CHECK(part.cause == Cause::host_compute);
  CHECK(part.interval == Interval{4 * ms, 9 * ms});
  CHECK(part.detail == "in range 'ncclAllReduce'");
}

//   ranges   [step                                    ]
//               [halo exchange  ].[pack]
//   MPI            [MPI_Waitall]
//   thread   k                                 k
//   device    KK                                KK
//   ms       0 2   3           9 10    13      20
TEST_CASE("during a gap, the range with most of the time counts, not the range at the middle") {
  const auto fill = [](ExportFile& file) {
    for (const std::int64_t at : {0 * ms, 20 * ms}) {
      file.kernel("k", at + ms, at + 2 * ms, file.call("cudaLaunchKernel_v7000", at, at + 5'000));
    }
    file.range("step", 0, 22 * ms);
    file.range("halo exchange", 2 * ms, 10 * ms);
    file.range("pack", 10 * ms + ms / 2, 13 * ms);
    file.sql(
        "CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER,"
        "  textId INTEGER, commHandle INTEGER, rootRank INTEGER, size INTEGER);"
        "CREATE TABLE MPI_OTHER_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER,"
        "  textId INTEGER);"
        "INSERT INTO StringIds VALUES (900, 'MPI_Waitall');"
        "INSERT INTO MPI_OTHER_EVENTS VALUES (3000000, 9000000,"
        "  (SELECT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 1), 900);");
  };
  const Trace trace = test::read_export(NsysRelease::r2024, fill);
  AnalyzeOptions options;
  options.focus = Focus::whole;
  const Report report = analyze(trace, options);
  const ScopeResult& scope = report.devices.at(0).scope;
  REQUIRE(scope.gaps.longest.size() == 1);
  REQUIRE_FALSE(scope.gaps.longest[0].parts.empty());
  CHECK(scope.gaps.longest[0].parts[0].interval == Interval{2 * ms, 20 * ms});
  CHECK(scope.gaps.longest[0].parts[0].detail == "in range 'halo exchange'");
  const Advice* advice = test::advice_of(*scope.causes, "host-time");
  REQUIRE(advice != nullptr);
  CHECK_THAT(reports::sentences_of(*advice, *scope.causes), Containing("32 % in MPI_Waitall"));
}

}  // namespace
}  // namespace lapscope::analyzer

#include <cstdlib>

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using test::SyntheticTrace;
using test::UnifiedMemoryRecord;

UnifiedMemoryRecord counter(CUpti_ActivityUnifiedMemoryCounterKind kind) {
  auto record = test::make_record<UnifiedMemoryRecord>(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  record.counterKind = kind;
  record.value = 65536;
  record.start = test::cupti_time(10);
  record.end = test::cupti_time(25);
  record.address = 0x7f0000010000;
  record.srcId = 3;
  record.dstId = 5;
  record.flags = 2;
  return record;
}

TEST_CASE("migrations are copies of their own sort that no call issued", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  trace.decode(counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD),
               counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH),
               counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD));
  const auto rows = trace.rows<schema::MemcpyRow>();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].copyKind == 11);
  CHECK(rows[0].deviceId == 5);
  CHECK(rows[1].copyKind == 12);
  CHECK(rows[1].deviceId == 3);
  CHECK(rows[2].copyKind == 13);
  for (const auto& row : rows) {
    CHECK(row.start == 10);
    CHECK(row.end == 25);
    CHECK(row.bytes == 65536);
    CHECK(row.virtualAddress == 0x7f0000010000);
    CHECK(row.migrationCause == 2);
    CHECK(row.srcKind == 4);
    CHECK(row.dstKind == 4);
    CHECK_FALSE(row.correlationId.has_value());
  }
}

TEST_CASE("a page fault of a device tells how the page was touched", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  auto record = counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT);
  record.value = 4;
  trace.decode(record);
  const auto row = trace.row<schema::GpuPageFaultRow>();
  CHECK(row.start == 10);
  CHECK(row.end == 25);
  CHECK(row.deviceId == 3);
  CHECK(row.address == 0x7f0000010000);
  CHECK(row.numberOfPageFaults == 4);
  CHECK(row.faultAccessType == 2);
}

TEST_CASE("a page fault of the host tells which code touched the page", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  auto record = counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT);
  record.value = reinterpret_cast<std::uint64_t>(&std::qsort);
  record.end = 0;  // it has none
  trace.decode(record);
  const auto row = trace.row<schema::CpuPageFaultRow>();
  CHECK(row.start == 10);
  CHECK(row.address == 0x7f0000010000);
  CHECK(trace.text(row.module) == "qsort");
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER).invalidTimestamps == 0);
}

TEST_CASE("a counter that was not asked for leaves no row", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  trace.decode(counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING));
  CHECK_FALSE(trace.database().has_table("CUPTI_ACTIVITY_KIND_MEMCPY"));
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER).received == 1);
}

}  // namespace
}  // namespace lapscope::decode

#include "collector/decode/decoder.h"

#include <algorithm>

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using test::cupti_time;
using test::SyntheticTrace;

template <class Record>
Record timed_record(CUpti_ActivityKind kind) {
  auto record = test::make_record<Record>(kind);
  record.start = cupti_time(10);
  record.end = cupti_time(20);
  return record;
}

test::KernelRecord kernel_record() {
  auto record = timed_record<test::KernelRecord>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  record.name = "kernel";
  return record;
}

test::MemcpyRecord copy_record() {
  return timed_record<test::MemcpyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY);
}

std::size_t kinds_by_default() {
  const auto kinds = recorded_kinds();
  return static_cast<std::size_t>(std::count_if(kinds.begin(), kinds.end(), is_default));
}

// Makes a record of a kind that the decoder does not know. libcupti knows the size of this record,
// so the decoder can skip it.
CUpti_ActivityPreemption foreign_record() {
  return test::make_record<CUpti_ActivityPreemption>(CUPTI_ACTIVITY_KIND_PREEMPTION);
}

TEST_CASE("a buffer of mixed kinds is sorted into its tables", "[decode]") {
  SyntheticTrace trace;
  trace.decode(kernel_record(), copy_record(), kernel_record(),
               timed_record<test::MemsetRecord>(CUPTI_ACTIVITY_KIND_MEMSET),
               timed_record<test::ApiRecord>(CUPTI_ACTIVITY_KIND_RUNTIME),
               timed_record<test::ApiRecord>(CUPTI_ACTIVITY_KIND_DRIVER), kernel_record());
  CHECK(trace.rows<schema::KernelRow>().size() == 3);
  CHECK(trace.rows<schema::MemcpyRow>().size() == 1);
  CHECK(trace.rows<schema::MemsetRow>().size() == 1);
  CHECK(trace.rows<schema::ApiCallRow>().size() == 2);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL).received == 3);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_DRIVER).received == 1);
  CHECK(trace.rows<schema::LossRow>().empty());
}

TEST_CASE("several buffers add up", "[decode]") {
  SyntheticTrace trace;
  for (int i = 0; i < 3; ++i) trace.decode(kernel_record(), copy_record());
  CHECK(trace.rows<schema::KernelRow>().size() == 3);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMCPY).received == 3);
}

TEST_CASE("an empty buffer is no loss", "[decode]") {
  SyntheticTrace trace;
  std::uint64_t buffer[8] = {};
  trace.decoder().decode(reinterpret_cast<std::uint8_t*>(buffer), 0);
  trace.decoder().write_counts();
  CHECK(trace.rows<schema::LossRow>().empty());
}

TEST_CASE("records of a kind that nobody asked for are counted and skipped", "[decode]") {
  SyntheticTrace trace;
  trace.decode(kernel_record(), foreign_record(), copy_record(), foreign_record());
  CHECK(trace.rows<schema::KernelRow>().size() == 1);
  CHECK(trace.rows<schema::MemcpyRow>().size() == 1);
  CHECK(trace.loss("unknown-kind").count == 2);
  CHECK(trace.loss("unknown-kind").detail == "kind 19");
  const auto counts = trace.counts(CUPTI_ACTIVITY_KIND_PREEMPTION);
  CHECK(counts.received == 2);
  CHECK_FALSE(counts.enableResult.has_value());
}

TEST_CASE("a record that libcupti cannot step over is a loss and keeps what came before",
          "[decode]") {
  const cupti::CuptiApi& cupti = test::real_cupti();
  SyntheticTrace trace;
  test::ActivityBuffer buffer(cupti);
  buffer.add(kernel_record()).add(copy_record()).add(kernel_record());
  const std::size_t second = cupti::probe_record_size(cupti, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  constexpr std::uint32_t nonsense = 77'777;
  std::memcpy(buffer.data() + second, &nonsense, sizeof nonsense);
  trace.decode(buffer);
  CHECK(trace.rows<schema::KernelRow>().size() == 1);
  CHECK(trace.loss("decode-error").count == 1);
  CHECK(trace.loss("decode-error").detail == "CUPTI_ERROR_INVALID_KIND");
}

TEST_CASE("every recorded kind has a row of counts from the start", "[decode]") {
  SyntheticTrace trace;
  trace.decoder().set_enable_result(CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ERROR_INVALID_KIND);
  trace.decoder().set_enable_result(CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_SUCCESS);
  trace.decoder().write_counts();
  CHECK(trace.rows<schema::RecordsRow>().size() == kinds_by_default());
  const auto memset = trace.counts(CUPTI_ACTIVITY_KIND_MEMSET);
  CHECK(memset.name == "MEMSET");
  CHECK(memset.enableResult == CUPTI_ERROR_INVALID_KIND);
  CHECK(memset.recordSize == static_cast<std::int64_t>(cupti::probe_record_size(
                                 test::real_cupti(), CUPTI_ACTIVITY_KIND_MEMSET)));
  CHECK(memset.received == 0);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMCPY).enableResult == 0);
  CHECK_FALSE(trace.counts(CUPTI_ACTIVITY_KIND_RUNTIME).enableResult.has_value());
}

TEST_CASE("counts are brought up to date and not appended", "[decode]") {
  SyntheticTrace trace;
  trace.decode(copy_record());
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMCPY).received == 1);
  trace.decode(copy_record());
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MEMCPY).received == 2);
  CHECK(trace.rows<schema::RecordsRow>().size() == kinds_by_default());
}

TEST_CASE("losses of one code add up and keep the first detail", "[decode]") {
  SyntheticTrace trace;
  trace.decoder().add_loss("dropped-records", 3, "");
  trace.decoder().add_loss("dropped-records", 4, "first");
  trace.decoder().add_loss("dropped-records", 5, "second");
  CHECK(trace.loss("dropped-records").count == 12);
  CHECK(trace.loss("dropped-records").detail == "first");
}

}  // namespace
}  // namespace lapscope::decode

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::CompilationRow;
using test::JitRecord;
using test::SyntheticTrace;

JitRecord jit_record(CUpti_ActivityJitOperationType operation) {
  auto record = test::make_record<JitRecord>(CUPTI_ACTIVITY_KIND_JIT);
  record.jitEntryType = CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN;
  record.jitOperationType = operation;
  record.deviceId = 5;
  record.start = test::cupti_time(10);
  record.end = test::cupti_time(25);
  record.correlationId = 99;
  record.jitOperationCorrelationId = 7;
  record.cacheSize = 4096;
  record.cachePath = "/home/somebody/.nv/ComputeCache/1/2/3";
  record.threadId = 4712;
  return record;
}

TEST_CASE("a compilation is a row with its call", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  trace.decode(jit_record(CUPTI_ACTIVITY_JIT_OPERATION_COMPILE));
  const auto row = trace.row<CompilationRow>();
  CHECK(row.start == 10);
  CHECK(row.end == 25);
  CHECK(row.deviceId == 5);
  CHECK(row.globalTid == schema::global_tid(test::pid, 4712));
  CHECK(row.correlationId == 99);
  CHECK(row.entryType == 1);
  CHECK(row.operationType == 3);
  CHECK(row.operationId == 7);
  CHECK_FALSE(row.cacheSize.has_value());
}

TEST_CASE("an access to the cache tells its size but not where it lies", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  trace.decode(jit_record(CUPTI_ACTIVITY_JIT_OPERATION_CACHE_STORE));
  CHECK(trace.row<CompilationRow>().cacheSize == 4096);
  CHECK_FALSE(trace.database().has_table("StringIds"));  // nowhere to keep a path
}

TEST_CASE("a short compilation record has no thread", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  trace::TraceWriter writer(schema::Database::in_memory());
  DecodeContext context(writer, *cupti, test::pid, test::session_start, {});
  const JitRecord record = jit_record(CUPTI_ACTIVITY_JIT_OPERATION_COMPILE);
  constexpr std::size_t size_before_cuda_12_4 = 64;
  decode_compilation(&record, size_before_cuda_12_4, context);
  CHECK_FALSE(test::all_rows<CompilationRow>(writer.database()).at(0).globalTid.has_value());
}

}  // namespace
}  // namespace lapscope::decode

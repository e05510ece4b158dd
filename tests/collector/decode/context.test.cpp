#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::ContextRow;
using test::ContextRecord;
using test::SyntheticTrace;

ContextRecord context_record() {
  auto record = test::make_record<ContextRecord>(CUPTI_ACTIVITY_KIND_CONTEXT);
  record.contextId = 2;
  record.deviceId = 5;
  record.nullStreamId = 17;
  record.parentContextId = 1;
  record.numMultiprocessors = 16;
  return record;
}

TEST_CASE("a context is a row with the id of its null stream", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  trace.decode(context_record());
  const auto row = trace.row<ContextRow>();
  CHECK(row.contextId == 2);
  CHECK(row.deviceId == 5);
  CHECK(row.nullStreamId == 17);
  CHECK(row.processId == test::pid);
  CHECK(row.hwId == 0);
  CHECK(row.vmId == 1);
  CHECK_FALSE(row.isGreenContext.has_value());
  CHECK_FALSE(row.parentContextId.has_value());
  CHECK_FALSE(row.numMultiprocessors.has_value());
}

TEST_CASE("a green context has a parent and a share of the multiprocessors", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  ContextRecord record = context_record();
  record.isGreenContext = 1;
  trace.decode(record);
  const auto row = trace.row<ContextRow>();
  CHECK(row.isGreenContext == 1);
  CHECK(row.parentContextId == 1);
  CHECK(row.numMultiprocessors == 16);
}

}  // namespace
}  // namespace lapscope::decode

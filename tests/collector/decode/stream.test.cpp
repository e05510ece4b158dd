#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::StreamRow;
using test::StreamRecord;
using test::SyntheticTrace;

TEST_CASE("a stream is a row with its flag and its priority as unsigned", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  SyntheticTrace trace(*cupti);
  auto record = test::make_record<StreamRecord>(CUPTI_ACTIVITY_KIND_STREAM);
  record.contextId = 2;
  record.streamId = 13;
  record.priority = static_cast<std::uint32_t>(-5);
  record.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
  trace.decode(record);
  const auto row = trace.row<StreamRow>();
  CHECK(row.streamId == 13);
  CHECK(row.contextId == 2);
  CHECK(row.processId == test::pid);
  CHECK(row.priority == 4'294'967'291);  // as Nsight Systems exports it
  CHECK(row.flag == 2);
  CHECK(row.hwId == 0);
  CHECK(row.vmId == 1);
  CHECK(trace.database().has_table("ENUM_CUPTI_STREAM_TYPE"));
}

}  // namespace
}  // namespace lapscope::decode

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

TEST_CASE("the program's own number of a call is a row", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) SKIP_BECAUSE(test::why_no_cupti());
  test::SyntheticTrace trace(*cupti);
  auto record =
      test::make_record<test::ExternalCorrelationRecord>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
  record.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
  record.externalId = 123'456'789'012;
  record.correlationId = 99;
  trace.decode(record);
  const auto row = trace.row<schema::ExternalCorrelationRow>();
  CHECK(row.correlationId == 99);
  CHECK(row.externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0);
  CHECK(row.externalId == 123'456'789'012);
}

}  // namespace
}  // namespace lapscope::decode

#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"

namespace lapscope::decode {

void decode_external_correlation(const void* record, std::size_t size, DecodeContext& context) {
  const cupti::RecordView<cupti::records::ExternalCorrelation> external(record, size);
  schema::ExternalCorrelationRow row;
  row.correlationId = external->correlationId;
  row.externalKind = external->externalKind;
  row.externalId = static_cast<std::int64_t>(external->externalId);
  context.trace.insert(row);
}

}  // namespace lapscope::decode

#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"

namespace lapscope::decode {

void decode_context(const void* record, std::size_t size, DecodeContext& context) {
  const cupti::RecordView<cupti::records::Context> cuda_context(record, size);
  context.device_of_context[cuda_context->contextId] = cuda_context->deviceId;
  schema::ContextRow row;
  row.nullStreamId = cuda_context->nullStreamId;
  row.vmId = 1;
  row.processId = context.pid;
  row.deviceId = cuda_context->deviceId;
  row.contextId = cuda_context->contextId;
  if (cuda_context->isGreenContext) {
    row.parentContextId = cuda_context->parentContextId;
    row.isGreenContext = 1;
    row.numMultiprocessors = cuda_context->numMultiprocessors;
  }
  context.trace.insert(row);
}

}  // namespace lapscope::decode

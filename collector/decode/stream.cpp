#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"

namespace lapscope::decode {

void decode_stream(const void* record, std::size_t size, DecodeContext& context) {
  const cupti::RecordView<cupti::records::Stream> stream(record, size);
  schema::StreamRow row;
  row.streamId = stream->streamId;
  row.vmId = 1;
  row.processId = context.pid;
  row.contextId = stream->contextId;
  row.priority = stream->priority;
  row.flag = stream->flag;
  context.trace.insert(row);
}

}  // namespace lapscope::decode

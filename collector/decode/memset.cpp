#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {

void decode_memset(const void* record, std::size_t size, DecodeContext& context) {
  using cupti::records::Memset;
  const cupti::RecordView<Memset> memset(record, size);
  schema::MemsetRow row;
  std::tie(row.start, row.end) = context.interval(memset->start, memset->end);
  row.deviceId = memset->deviceId;
  row.contextId = memset->contextId;
  row.streamId = memset->streamId;
  row.correlationId = memset->correlationId;
  row.globalPid = context.global_pid();
  row.value = memset->value;
  row.bytes = static_cast<std::int64_t>(memset->bytes);
  row.graphNodeId = id_or_null(memset->graphNodeId);
  row.memKind = memory_kind(memset->memoryKind);
  row.graphId = id_or_null(memset->graphId);
  if (memset.has(&Memset::channelType)) {
    row.channelId = memset->channelID;
    row.channelType = memset->channelType;
  }
  row.flags = memset->flags;
  context.trace.append(row);
}

}  // namespace lapscope::decode

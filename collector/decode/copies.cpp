#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {
namespace {

// What the records of copies within a device and between devices have in common.
template <class Record>
schema::MemcpyRow common(const cupti::RecordView<Record>& copy, DecodeContext& context) {
  schema::MemcpyRow row;
  std::tie(row.start, row.end) = context.interval(copy->start, copy->end);
  row.deviceId = copy->deviceId;
  row.contextId = copy->contextId;
  row.streamId = copy->streamId;
  row.correlationId = copy->correlationId;
  row.globalPid = context.global_pid();
  row.bytes = static_cast<std::int64_t>(copy->bytes);
  row.copyKind = copy->copyKind;
  row.srcKind = memory_kind(copy->srcKind);
  row.dstKind = memory_kind(copy->dstKind);
  row.graphNodeId = id_or_null(copy->graphNodeId);
  row.graphId = id_or_null(copy->graphId);
  if (copy.has(&Record::channelType)) {
    row.channelId = copy->channelID;
    row.channelType = copy->channelType;
  }
  row.flags = copy->flags;
  return row;
}

}  // namespace

void decode_memcpy(const void* record, std::size_t size, DecodeContext& context) {
  const cupti::RecordView<cupti::records::Memcpy> copy(record, size);
  schema::MemcpyRow row = common(copy, context);
  if (copy->copyCount > 1) row.copyCount = static_cast<std::int64_t>(copy->copyCount);
  context.trace.append(row);
}

// Copies between devices come only in this kind, MEMCPY2.
void decode_memcpy_peer(const void* record, std::size_t size, DecodeContext& context) {
  const cupti::RecordView<cupti::records::MemcpyPeer> copy(record, size);
  schema::MemcpyRow row = common(copy, context);
  row.srcDeviceId = copy->srcDeviceId;
  row.srcContextId = copy->srcContextId;
  row.dstDeviceId = copy->dstDeviceId;
  row.dstContextId = copy->dstContextId;
  context.trace.append(row);
}

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

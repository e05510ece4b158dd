#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {
namespace {

// Returns a new row. Sets only the columns that MEMCPY and MEMCPY2 records share.
template <class Record>
schema::MemcpyRow common(const View<Record>& copy, DecodeContext& context) {
  schema::MemcpyRow row;
  context.place(row, copy);
  row.bytes = static_cast<std::int64_t>(copy->bytes);
  row.copyKind = copy->copyKind;
  row.srcKind = memory_kind(copy->srcKind);
  row.dstKind = memory_kind(copy->dstKind);
  row.flags = copy->flags;
  return row;
}

}  // namespace

void decode_memcpy(const View<records::Memcpy>& copy, DecodeContext& context) {
  schema::MemcpyRow row = common(copy, context);
  if (copy->copyCount > 1) row.copyCount = static_cast<std::int64_t>(copy->copyCount);
  context.trace.append(row);
}

// Decodes MEMCPY2 records. CUPTI reports copies between devices only in these records.
void decode_memcpy_peer(const View<records::MemcpyPeer>& copy, DecodeContext& context) {
  schema::MemcpyRow row = common(copy, context);
  row.srcDeviceId = copy->srcDeviceId;
  row.srcContextId = copy->srcContextId;
  row.dstDeviceId = copy->dstDeviceId;
  row.dstContextId = copy->dstContextId;
  context.trace.append(row);
}

void decode_memset(const View<records::Memset>& memset, DecodeContext& context) {
  schema::MemsetRow row;
  context.place(row, memset);
  row.value = memset->value;
  row.bytes = static_cast<std::int64_t>(memset->bytes);
  row.memKind = memory_kind(memset->memoryKind);
  row.flags = memset->flags;
  context.trace.append(row);
}

}  // namespace lapscope::decode

#include <cstdlib>

#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"
#include "collector/schema/enumeration.h"

namespace lapscope::decode {
namespace {

std::string_view label_of(std::int64_t overhead_type) {
  for (const schema::Enumerator& value : schema::enumeration("ENUM_CUPTI_OVERHEAD_TYPE").values) {
    if (value.id == overhead_type) return value.label;
  }
  return "Undefined";
}

}  // namespace

void decode_overhead(const View<records::Overhead>& overhead, DecodeContext& context) {
  schema::OverheadRow row;
  std::tie(row.start, row.end) = context.interval(overhead->start, overhead->end);
  row.eventClass = schema::codes::overhead;
  if (overhead->objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) {
    row.globalTid = schema::global_tid(context.pid, overhead->objectId.pt.threadId);
  }
  row.correlationId = id_or_null(overhead->correlationId);
  row.overheadType = overhead_type(overhead->overheadKind);
  row.nameId = context.trace.intern(label_of(row.overheadType));
  constexpr std::uint32_t command_buffer_full = 6U << 16;  // the only kind that has data
  if (overhead->overheadData && overhead->overheadKind == command_buffer_full) {
    const auto* full = static_cast<const records::CommandBufferFull*>(overhead->overheadData);
    row.channelId = full->channelID;
  }
  context.trace.insert(row);
}

void release_overhead(const void* record, std::size_t size) {
  const View<records::Overhead> overhead(record, size);
  std::free(overhead->overheadData);
}

void decode_compilation(const View<records::Jit>& jit, DecodeContext& context) {
  constexpr std::uint32_t compile = 3;  // CUPTI_ACTIVITY_JIT_OPERATION_COMPILE
  schema::CompilationRow row;
  std::tie(row.start, row.end) = context.interval(jit->start, jit->end);
  row.deviceId = jit->deviceId;
  if (jit.has(&records::Jit::threadId)) {
    row.globalTid = schema::global_tid(context.pid, jit->threadId);
  }
  row.correlationId = id_or_null(jit->correlationId);
  row.entryType = jit->jitEntryType;
  row.operationType = jit->jitOperationType;
  row.operationId = static_cast<std::int64_t>(jit->jitOperationCorrelationId);
  if (jit->jitOperationType != compile) row.cacheSize = static_cast<std::int64_t>(jit->cacheSize);
  context.trace.insert(row);
}

}  // namespace lapscope::decode

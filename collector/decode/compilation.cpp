#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {

void decode_compilation(const void* record, std::size_t size, DecodeContext& context) {
  using cupti::records::Jit;
  constexpr std::uint32_t compile = 3;  // CUPTI_ACTIVITY_JIT_OPERATION_COMPILE
  const cupti::RecordView<Jit> jit(record, size);
  schema::CompilationRow row;
  std::tie(row.start, row.end) = context.interval(jit->start, jit->end);
  row.deviceId = jit->deviceId;
  if (jit.has(&Jit::threadId)) row.globalTid = schema::global_tid(context.pid, jit->threadId);
  row.correlationId = id_or_null(jit->correlationId);
  row.entryType = jit->jitEntryType;
  row.operationType = jit->jitOperationType;
  row.operationId = static_cast<std::int64_t>(jit->jitOperationCorrelationId);
  if (jit->jitOperationType != compile) row.cacheSize = static_cast<std::int64_t>(jit->cacheSize);
  context.trace.insert(row);
}

}  // namespace lapscope::decode

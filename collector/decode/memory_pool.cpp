#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {

void decode_memory_pool(const void* record, std::size_t size, DecodeContext& context) {
  using cupti::records::MemoryPool;
  constexpr std::uint32_t trimmed = 3;     // CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED
  constexpr std::uint32_t local_pool = 1;  // CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL
  const cupti::RecordView<MemoryPool> pool(record, size);
  schema::MemoryPoolRow row;
  row.start = context.instant(pool->timestamp);
  row.globalPid = context.global_pid();
  row.deviceId = pool->deviceId;
  row.address = static_cast<std::int64_t>(pool->address);
  row.operationType = pool->memoryPoolOperationType;
  row.poolType = pool->memoryPoolType;
  row.correlationId = id_or_null(pool->correlationId);
  if (pool->memoryPoolOperationType == trimmed) {
    row.minBytesToKeep = static_cast<std::int64_t>(pool->minBytesToKeep);
  }
  if (pool->memoryPoolType == local_pool) {
    row.localMemoryPoolReleaseThreshold = static_cast<std::int64_t>(pool->releaseThreshold);
    row.localMemoryPoolSize = static_cast<std::int64_t>(pool->size);
    if (pool.has(&MemoryPool::utilizedSize)) {
      row.localMemoryPoolUtilizedSize = static_cast<std::int64_t>(pool->utilizedSize);
    }
  }
  context.trace.insert(row);
}

}  // namespace lapscope::decode

#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {
namespace {

constexpr std::uint32_t local_pool = 1;     // CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL
constexpr std::uint32_t imported_pool = 2;  // CUPTI_ACTIVITY_MEMORY_POOL_TYPE_IMPORTED

}  // namespace

void decode_memory(const void* record, std::size_t size, DecodeContext& context) {
  const cupti::RecordView<cupti::records::Memory> memory(record, size);
  schema::MemoryRow row;
  row.start = context.instant(memory->timestamp);
  row.globalPid = context.global_pid();
  row.deviceId = memory->deviceId;
  row.contextId = memory->contextId;
  row.address = static_cast<std::int64_t>(memory->address);
  row.pc = static_cast<std::int64_t>(memory->PC);
  row.bytes = static_cast<std::int64_t>(memory->bytes);
  row.memKind = memory_kind(memory->memoryKind);
  row.memoryOperationType = memory_operation(memory->memoryOperationType);
  if (memory->name) row.name = memory->name;
  row.correlationId = memory->correlationId;
  const auto& pool = memory->memoryPoolConfig;
  if (pool.memoryPoolType == local_pool) {
    row.localMemoryPoolAddress = static_cast<std::int64_t>(pool.address);
    row.localMemoryPoolReleaseThreshold = static_cast<std::int64_t>(pool.releaseThreshold);
    row.localMemoryPoolSize = static_cast<std::int64_t>(pool.size);
    row.localMemoryPoolUtilizedSize = static_cast<std::int64_t>(pool.utilizedSize);
  } else if (pool.memoryPoolType == imported_pool) {
    row.importedMemoryPoolAddress = static_cast<std::int64_t>(pool.address);
    row.importedMemoryPoolProcessId = static_cast<std::int64_t>(pool.size);
  }
  if (memory->isAsync) {
    row.streamId = memory->streamId;
    row.isAsync = 1;
  }
  context.trace.append(row);
}

}  // namespace lapscope::decode

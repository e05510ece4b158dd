#include "collector/decode/kernel_names.h"
#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"
#include "collector/schema/enumeration.h"

namespace lapscope::decode {
namespace {

constexpr std::uint32_t local_pool = 1;     // CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL
constexpr std::uint32_t imported_pool = 2;  // CUPTI_ACTIVITY_MEMORY_POOL_TYPE_IMPORTED

}  // namespace

void decode_memory(const View<records::Memory>& memory, DecodeContext& context) {
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

void decode_memory_pool(const View<records::MemoryPool>& pool, DecodeContext& context) {
  constexpr std::uint32_t trimmed = 3;  // CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED
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
    if (pool.has(&records::MemoryPool::utilizedSize)) {
      row.localMemoryPoolUtilizedSize = static_cast<std::int64_t>(pool->utilizedSize);
    }
  }
  context.trace.insert(row);
}

namespace {

using Counter = View<records::UnifiedMemoryCounter>;

// Writes a migration as a copy without a call, as exports of Nsight Systems do.
void write_migration(const Counter& counter, std::int64_t copy_kind, std::uint32_t device,
                     DecodeContext& context) {
  schema::MemcpyRow row;
  std::tie(row.start, row.end) = context.interval(counter->start, counter->end);
  row.deviceId = device;
  row.contextId = not_applicable;
  row.streamId = not_applicable;
  row.globalPid = context.global_pid();
  row.bytes = static_cast<std::int64_t>(counter->value);
  row.copyKind = copy_kind;
  row.srcKind = row.dstKind = schema::codes::managed;
  row.migrationCause = counter->flags;
  row.virtualAddress = static_cast<std::int64_t>(counter->address);
  context.trace.insert(row);
}

void write_cpu_fault(const Counter& counter, DecodeContext& context) {
  schema::CpuPageFaultRow row;
  row.start = context.instant(counter->start);
  row.globalPid = context.global_pid();
  row.address = static_cast<std::int64_t>(counter->address);
  row.CpuInstruction = static_cast<std::int64_t>(counter->value);
  row.module = context.trace.intern(function_name(reinterpret_cast<const void*>(counter->value)));
  context.trace.insert(row);
}

void write_gpu_fault(const Counter& counter, DecodeContext& context) {
  schema::GpuPageFaultRow row;
  std::tie(row.start, row.end) = context.interval(counter->start, counter->end);
  row.globalPid = context.global_pid();
  row.deviceId = counter->srcId;
  row.address = static_cast<std::int64_t>(counter->address);
  row.numberOfPageFaults = static_cast<std::int64_t>(counter->value);
  row.faultAccessType = counter->flags;
  context.trace.insert(row);
}

}  // namespace

void decode_unified_memory(const Counter& counter, DecodeContext& context) {
  switch (counter->counterKind) {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
      return write_migration(counter, schema::codes::migration_to_device, counter->dstId, context);
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
      return write_migration(counter, schema::codes::migration_to_host, counter->srcId, context);
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD:
      return write_migration(counter, schema::codes::migration_between_devices, counter->srcId,
                             context);
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
      return write_cpu_fault(counter, context);
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
      return write_gpu_fault(counter, context);
    default:  // a counter that lapscope did not ask for
      return;
  }
}

}  // namespace lapscope::decode

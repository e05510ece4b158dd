#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/host_function_names.h"
#include "collector/decode/kinds.h"

namespace lapscope::decode {
namespace {

using Counter = cupti::RecordView<cupti::records::UnifiedMemoryCounter>;

// As in exports of Nsight Systems: a migration is a row of the copies that no call issued.
void write_migration(const Counter& counter, std::int64_t copy_kind, std::uint32_t device,
                     DecodeContext& context) {
  constexpr std::int64_t managed = 4;  // ENUM_CUDA_MEM_KIND
  schema::MemcpyRow row;
  std::tie(row.start, row.end) = context.interval(counter->start, counter->end);
  row.deviceId = device;
  row.contextId = not_applicable;
  row.streamId = not_applicable;
  row.globalPid = context.global_pid();
  row.bytes = static_cast<std::int64_t>(counter->value);
  row.copyKind = copy_kind;
  row.srcKind = row.dstKind = managed;
  row.migrationCause = counter->flags;
  row.virtualAddress = static_cast<std::int64_t>(counter->address);
  context.trace.insert(row);
}

void write_cpu_fault(const Counter& counter, DecodeContext& context) {
  schema::CpuPageFaultRow row;
  row.start = context.instant(counter->start);
  row.globalPid = context.global_pid();
  row.address = static_cast<std::int64_t>(counter->address);
  row.cpuInstruction = static_cast<std::int64_t>(counter->value);
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

void decode_unified_memory(const void* record, std::size_t size, DecodeContext& context) {
  const Counter counter(record, size);
  switch (counter->counterKind) {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
      return write_migration(counter, 11, counter->dstId, context);  // ENUM_CUDA_MEMCPY_OPER
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
      return write_migration(counter, 12, counter->srcId, context);
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD:
      return write_migration(counter, 13, counter->srcId, context);
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
      return write_cpu_fault(counter, context);
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
      return write_gpu_fault(counter, context);
    default:  // none that was asked for
      return;
  }
}

}  // namespace lapscope::decode

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

void decode_kernel(const View<records::Kernel>& kernel, DecodeContext& context) {
  const auto names = context.kernel_names.ids(kernel->name);

  schema::KernelRow row;
  context.place(row, kernel);
  row.demangledName = names.demangled;
  row.shortName = names.brief;
  row.mangledName = names.mangled;
  row.launchType = launch_type(kernel->launchType);
  row.cacheConfig = kernel->cacheConfig >> 4;
  row.registersPerThread = kernel->registersPerThread;
  row.gridX = kernel->gridX;
  row.gridY = kernel->gridY;
  row.gridZ = kernel->gridZ;
  row.blockX = kernel->blockX;
  row.blockY = kernel->blockY;
  row.blockZ = kernel->blockZ;
  row.staticSharedMemory = kernel->staticSharedMemory;
  row.dynamicSharedMemory = kernel->dynamicSharedMemory;
  row.localMemoryPerThread = kernel->localMemoryPerThread;
  // The 32-bit total overflows for large launches; CUDA 12.0 added a 64-bit total.
  row.localMemoryTotal = kernel.has(&records::Kernel::localMemoryTotal_v2)
                             ? static_cast<std::int64_t>(kernel->localMemoryTotal_v2)
                             : std::int64_t{kernel->localMemoryTotal};
  row.gridId = kernel->gridId;
  row.sharedMemoryExecuted = kernel->sharedMemoryExecuted;
  row.sharedMemoryLimitConfig = kernel->shmemLimitConfig;
  if (kernel->clusterX > 0) {
    row.clusterX = kernel->clusterX;
    row.clusterY = kernel->clusterY;
    row.clusterZ = kernel->clusterZ;
    row.clusterSchedulingPolicy = kernel->clusterSchedulingPolicy;
    row.maxPotentialClusterSize = kernel->maxPotentialClusterSize;
    row.maxActiveClusters = kernel->maxActiveClusters;
  }
  if (kernel->isSharedMemoryCarveoutRequested) {
    row.sharedMemoryRequestedPercentage = kernel->sharedMemoryCarveoutRequested;
  }
  if (kernel->queued != 0) row.queued = context.time(kernel->queued);
  if (kernel->submitted != 0) row.submitted = context.time(kernel->submitted);
  if (kernel->isDeviceLaunched) row.deviceLaunched = 1;
  context.trace.append(row);
}

void decode_graph_trace(const View<records::GraphTrace>& graph, DecodeContext& context) {
  schema::GraphTraceRow row;
  context.place(row, graph);
  row.graphId = row.graphExecId = graph->graphId;
  context.trace.insert(row);
}

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

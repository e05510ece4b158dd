#pragma once

#include "collector/schema/table.h"

// Tables of device activities. They show the times and the streams of the work on the GPU.
namespace lapscope::schema {

// Limits that hold for all compute capabilities so far. Source: CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability".
inline constexpr Domain blocks_in_x = {1, (std::int64_t{1} << 31) - 1};
inline constexpr Domain blocks_in_y_or_z = {1, 65535};
inline constexpr Domain threads_in_x_or_y = {1, 1024};
inline constexpr Domain threads_in_z = {1, 64};

// CUPTI does not record copies and memsets of 0 bytes.
inline constexpr Domain bytes_moved = {1, domain_of(Unit::bytes).most};

struct KernelRow {
  TABLE(KernelRow, "CUPTI_ACTIVITY_KIND_KERNEL", "One execution of a kernel.");
  COLUMN(Int, start, session_ns, "start on the GPU");
  COLUMN(Int, end, session_ns, "end on the GPU; not part of the interval");
  COLUMN(Int, deviceId, cupti_id, "device, as in TARGET_INFO_GPU.id");
  COLUMN(Int, contextId, cupti_id, "CUDA context");
  COLUMN(MaybeInt, greenContextId, id, "green context; not recorded");
  COLUMN(Int, streamId, cupti_id,
         "stream; each stream of the process has its own id, whatever its context");
  COLUMN(MaybeInt, correlationId, cupti_id,
         "together with the process, identifies the call that issued the kernel; all nodes of one "
         "graph launch have the same value");
  COLUMN(MaybeInt, globalPid, id, "process, as pid << 24 | 1 << 48");
  COLUMN(Int, demangledName, string_id, "full C++ name");
  COLUMN(Int, shortName, string_id, "name without namespaces, template arguments and parameters");
  COLUMN(MaybeInt, mangledName, string_id, "symbol name");
  CODE(MaybeInt, launchType, "ENUM_CUDA_KERNEL_LAUNCH_TYPE",
       "regular or cooperative launch; CUPTI's value + 1");
  COLUMN(MaybeInt, cacheConfig, none, "cache configuration that was used (CUfunc_cache)");
  COLUMN(Int, registersPerThread, count, "registers");
  COLUMN(Int, gridX, count, "blocks in x", blocks_in_x);
  COLUMN(Int, gridY, count, "blocks in y", blocks_in_y_or_z);
  COLUMN(Int, gridZ, count, "blocks in z", blocks_in_y_or_z);
  COLUMN(Int, blockX, count, "threads of a block in x", threads_in_x_or_y);
  COLUMN(Int, blockY, count, "threads of a block in y", threads_in_x_or_y);
  COLUMN(Int, blockZ, count, "threads of a block in z", threads_in_z);
  COLUMN(Int, staticSharedMemory, bytes, "per block");
  COLUMN(Int, dynamicSharedMemory, bytes, "per block");
  COLUMN(Int, localMemoryPerThread, bytes, "per thread");
  COLUMN(Int, localMemoryTotal, bytes, "local memory of the whole launch");
  COLUMN(Int, gridId, id, "id of the launch, unique in the process");
  COLUMN(MaybeInt, sharedMemoryExecuted, bytes, "shared-memory size that the driver set");
  COLUMN(MaybeInt, graphNodeId, id, "CUDA graph node; NULL outside graphs");
  COLUMN(MaybeInt, sharedMemoryLimitConfig, none,
         "0: default limit; 1: the kernel opted in to more dynamic shared memory");
  COLUMN(MaybeInt, qmdBulkReleaseDone, none, "not recorded");
  COLUMN(MaybeInt, qmdPreexitDone, none, "not recorded");
  COLUMN(MaybeInt, qmdLastCtaDone, none, "not recorded");
  COLUMN(MaybeInt, graphId, id, "CUDA graph; NULL outside graphs");
  COLUMN(MaybeInt, clusterX, count, "blocks of a cluster in x");
  COLUMN(MaybeInt, clusterY, count, "blocks of a cluster in y");
  COLUMN(MaybeInt, clusterZ, count, "blocks of a cluster in z");
  COLUMN(MaybeInt, clusterSchedulingPolicy, none, "CUclusterSchedulingPolicy");
  COLUMN(MaybeInt, maxPotentialClusterSize, count,
         "size of the largest cluster that the launch could have used");
  COLUMN(MaybeInt, maxActiveClusters, count,
         "number of clusters that can be on the device at the same time");
  COLUMN(MaybeInt, sharedMemoryRequestedPercentage, none,
         "requested share of shared memory (carve-out) in percent; NULL if the program requested "
         "none");
  EXTRA(MaybeInt, channelId, cupti_id,
        "hardware channel; streams with the same channel share a hardware queue");
  EXTRA_CODE(MaybeInt, channelType, "ENUM_LAPSCOPE_CHANNEL_TYPE", "kind of the channel");
  EXTRA(MaybeInt, queued, session_ns,
        "instant at which the kernel entered the command buffer; NULL without `record --latency`");
  EXTRA(MaybeInt, submitted, session_ns,
        "instant at which the kernel was sent to the GPU; NULL without `record --latency`");
  EXTRA(MaybeInt, deviceLaunched, flags,
        "1 if another kernel launched this kernel on the device; NULL otherwise");
};

struct MemcpyRow {
  TABLE(MemcpyRow, "CUPTI_ACTIVITY_KIND_MEMCPY",
        "One copy to, from or within a device, or one migration of managed memory. A copy between "
        "devices also has srcDeviceId and dstDeviceId.");
  COLUMN(Int, start, session_ns, "start on the GPU");
  COLUMN(Int, end, session_ns, "end on the GPU; not part of the interval");
  COLUMN(Int, deviceId, cupti_id, "device whose engine copied");
  COLUMN(Int, contextId, cupti_id, "CUDA context");
  COLUMN(MaybeInt, greenContextId, id, "green context; not recorded");
  COLUMN(Int, streamId, cupti_id, "stream");
  COLUMN(
      MaybeInt, correlationId, cupti_id,
      "together with the process, identifies the call that issued the copy; NULL for a migration");
  COLUMN(MaybeInt, globalPid, id, "process, as pid << 24 | 1 << 48");
  COLUMN(Int, bytes, bytes, "size", bytes_moved);
  CODE(Int, copyKind, "ENUM_CUDA_MEMCPY_OPER", "direction");
  COLUMN(MaybeInt, deprecatedSrcId, none, "not recorded");
  CODE(MaybeInt, srcKind, "ENUM_CUDA_MEM_KIND", "kind of the source memory; CUPTI's value - 1");
  CODE(MaybeInt, dstKind, "ENUM_CUDA_MEM_KIND", "kind of the target memory; CUPTI's value - 1");
  COLUMN(MaybeInt, srcDeviceId, cupti_id, "source device of a copy between devices");
  COLUMN(MaybeInt, srcContextId, id, "context of the source, for a copy between devices");
  COLUMN(MaybeInt, dstDeviceId, cupti_id, "target device of a copy between devices");
  COLUMN(MaybeInt, dstContextId, id, "context of the target, for a copy between devices");
  CODE(MaybeInt, migrationCause, "ENUM_CUDA_UNIF_MEM_MIGRATION",
       "why the managed memory moved; NULL for copies");
  COLUMN(MaybeInt, graphNodeId, id, "CUDA graph node; NULL outside graphs");
  COLUMN(MaybeInt, virtualAddress, id, "address of the managed memory that moved; NULL for copies");
  COLUMN(MaybeInt, copyCount, count,
         "number of copies of a batched call that this row covers; NULL for a single copy");
  EXTRA(MaybeInt, graphId, id, "CUDA graph; NULL outside graphs");
  EXTRA(MaybeInt, channelId, cupti_id, "hardware channel");
  EXTRA_CODE(MaybeInt, channelType, "ENUM_LAPSCOPE_CHANNEL_TYPE",
             "kind of the channel; small pageable copies can run on a compute channel");
  EXTRA(MaybeInt, flags, flags, "bit 0: issued by an asynchronous call");
};

struct MemsetRow {
  TABLE(MemsetRow, "CUPTI_ACTIVITY_KIND_MEMSET", "One memset on a device.");
  COLUMN(Int, start, session_ns, "start on the GPU");
  COLUMN(Int, end, session_ns, "end on the GPU; not part of the interval");
  COLUMN(Int, deviceId, cupti_id, "device");
  COLUMN(Int, contextId, cupti_id, "CUDA context");
  COLUMN(MaybeInt, greenContextId, id, "green context; not recorded");
  COLUMN(Int, streamId, cupti_id, "stream");
  COLUMN(MaybeInt, correlationId, cupti_id,
         "together with the process, identifies the call that issued the memset");
  COLUMN(MaybeInt, globalPid, id, "process, as pid << 24 | 1 << 48");
  COLUMN(Int, value, none, "value written");
  COLUMN(Int, bytes, bytes, "size", bytes_moved);
  COLUMN(MaybeInt, graphNodeId, id, "CUDA graph node; NULL outside graphs");
  CODE(MaybeInt, memKind, "ENUM_CUDA_MEM_KIND", "kind of the memory; CUPTI's value - 1");
  EXTRA(MaybeInt, graphId, id, "CUDA graph; NULL outside graphs");
  EXTRA(MaybeInt, channelId, cupti_id, "hardware channel");
  EXTRA_CODE(MaybeInt, channelType, "ENUM_LAPSCOPE_CHANNEL_TYPE", "kind of the channel");
  EXTRA(MaybeInt, flags, flags, "bit 0: issued by an asynchronous call");
};

struct GraphTraceRow {
  TABLE(GraphTraceRow, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
        "One execution of a whole graph. Only `record --graph-level` records graphs as a whole. It "
        "does not record the individual ops of a graph.");
  COLUMN(Int, start, session_ns, "start on the GPU");
  COLUMN(Int, end, session_ns, "end on the GPU; not part of the interval");
  COLUMN(Int, deviceId, cupti_id, "device of the first node");
  COLUMN(Int, contextId, cupti_id, "context of the first node");
  COLUMN(MaybeInt, greenContextId, id, "not recorded");
  COLUMN(Int, streamId, cupti_id, "stream in which the graph was launched");
  COLUMN(MaybeInt, correlationId, cupti_id, "the call that launched the graph");
  COLUMN(MaybeInt, globalPid, id, "process, as pid << 24 | 1 << 48");
  COLUMN(Int, graphId, id, "CUDA graph");
  COLUMN(Int, graphExecId, id, "equal to graphId");
};

}  // namespace lapscope::schema

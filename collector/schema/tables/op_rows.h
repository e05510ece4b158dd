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
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t deviceId{};
  std::int64_t contextId{};
  std::optional<std::int64_t> greenContextId;
  std::int64_t streamId{};
  std::optional<std::int64_t> correlationId;
  std::optional<std::int64_t> globalPid;
  std::int64_t demangledName{};
  std::int64_t shortName{};
  std::optional<std::int64_t> mangledName;
  std::optional<std::int64_t> launchType;
  std::optional<std::int64_t> cacheConfig;
  std::int64_t registersPerThread{};
  std::int64_t gridX{};
  std::int64_t gridY{};
  std::int64_t gridZ{};
  std::int64_t blockX{};
  std::int64_t blockY{};
  std::int64_t blockZ{};
  std::int64_t staticSharedMemory{};
  std::int64_t dynamicSharedMemory{};
  std::int64_t localMemoryPerThread{};
  std::int64_t localMemoryTotal{};
  std::int64_t gridId{};
  std::optional<std::int64_t> sharedMemoryExecuted;
  std::optional<std::int64_t> graphNodeId;
  std::optional<std::int64_t> sharedMemoryLimitConfig;
  std::optional<std::int64_t> qmdBulkReleaseDone;
  std::optional<std::int64_t> qmdPreexitDone;
  std::optional<std::int64_t> qmdLastCtaDone;
  std::optional<std::int64_t> graphId;
  std::optional<std::int64_t> clusterX;
  std::optional<std::int64_t> clusterY;
  std::optional<std::int64_t> clusterZ;
  std::optional<std::int64_t> clusterSchedulingPolicy;
  std::optional<std::int64_t> maxPotentialClusterSize;
  std::optional<std::int64_t> maxActiveClusters;
  std::optional<std::int64_t> sharedMemoryRequestedPercentage;
  std::optional<std::int64_t> channelId;
  std::optional<std::int64_t> channelType;
  std::optional<std::int64_t> queued;
  std::optional<std::int64_t> submitted;
  std::optional<std::int64_t> deviceLaunched;
};

template <>
inline constexpr auto describe<KernelRow> = table<KernelRow>(
    "CUPTI_ACTIVITY_KIND_KERNEL", "One execution of a kernel.",
    column("start", &KernelRow::start, Unit::session_ns, "start on the GPU"),
    column("end", &KernelRow::end, Unit::session_ns, "end on the GPU; not part of the interval"),
    column("deviceId", &KernelRow::deviceId, Unit::cupti_id, "device, as in TARGET_INFO_GPU.id"),
    column("contextId", &KernelRow::contextId, Unit::cupti_id, "CUDA context"),
    column("greenContextId", &KernelRow::greenContextId, Unit::id, "green context; not recorded"),
    column("streamId", &KernelRow::streamId, Unit::cupti_id,
           "stream; each stream of the process has its own id, whatever its context"),
    column("correlationId", &KernelRow::correlationId, Unit::cupti_id,
           "together with the process, identifies the call that issued the kernel; all nodes of "
           "one graph launch have the same value"),
    column("globalPid", &KernelRow::globalPid, Unit::id, "process, as pid << 24 | 1 << 48"),
    column("demangledName", &KernelRow::demangledName, Unit::string_id, "full C++ name"),
    column("shortName", &KernelRow::shortName, Unit::string_id,
           "name without namespaces, template arguments and parameters"),
    column("mangledName", &KernelRow::mangledName, Unit::string_id, "symbol name"),
    enumerated("launchType", &KernelRow::launchType, "ENUM_CUDA_KERNEL_LAUNCH_TYPE",
               "regular or cooperative launch; CUPTI's value + 1"),
    column("cacheConfig", &KernelRow::cacheConfig, Unit::none,
           "cache configuration that was used (CUfunc_cache)"),
    column("registersPerThread", &KernelRow::registersPerThread, Unit::count, "registers"),
    within(blocks_in_x, column("gridX", &KernelRow::gridX, Unit::count, "blocks in x")),
    within(blocks_in_y_or_z, column("gridY", &KernelRow::gridY, Unit::count, "blocks in y")),
    within(blocks_in_y_or_z, column("gridZ", &KernelRow::gridZ, Unit::count, "blocks in z")),
    within(threads_in_x_or_y,
           column("blockX", &KernelRow::blockX, Unit::count, "threads of a block in x")),
    within(threads_in_x_or_y,
           column("blockY", &KernelRow::blockY, Unit::count, "threads of a block in y")),
    within(threads_in_z,
           column("blockZ", &KernelRow::blockZ, Unit::count, "threads of a block in z")),
    column("staticSharedMemory", &KernelRow::staticSharedMemory, Unit::bytes, "per block"),
    column("dynamicSharedMemory", &KernelRow::dynamicSharedMemory, Unit::bytes, "per block"),
    column("localMemoryPerThread", &KernelRow::localMemoryPerThread, Unit::bytes, "per thread"),
    column("localMemoryTotal", &KernelRow::localMemoryTotal, Unit::bytes,
           "local memory of the whole launch"),
    column("gridId", &KernelRow::gridId, Unit::id, "id of the launch, unique in the process"),
    column("sharedMemoryExecuted", &KernelRow::sharedMemoryExecuted, Unit::bytes,
           "shared-memory size that the driver set"),
    column("graphNodeId", &KernelRow::graphNodeId, Unit::id,
           "CUDA graph node; NULL outside graphs"),
    column("sharedMemoryLimitConfig", &KernelRow::sharedMemoryLimitConfig, Unit::none,
           "0: default limit; 1: the kernel opted in to more dynamic shared memory"),
    column("qmdBulkReleaseDone", &KernelRow::qmdBulkReleaseDone, Unit::none, "not recorded"),
    column("qmdPreexitDone", &KernelRow::qmdPreexitDone, Unit::none, "not recorded"),
    column("qmdLastCtaDone", &KernelRow::qmdLastCtaDone, Unit::none, "not recorded"),
    column("graphId", &KernelRow::graphId, Unit::id, "CUDA graph; NULL outside graphs"),
    column("clusterX", &KernelRow::clusterX, Unit::count, "blocks of a cluster in x"),
    column("clusterY", &KernelRow::clusterY, Unit::count, "blocks of a cluster in y"),
    column("clusterZ", &KernelRow::clusterZ, Unit::count, "blocks of a cluster in z"),
    column("clusterSchedulingPolicy", &KernelRow::clusterSchedulingPolicy, Unit::none,
           "CUclusterSchedulingPolicy"),
    column("maxPotentialClusterSize", &KernelRow::maxPotentialClusterSize, Unit::count,
           "size of the largest cluster that the launch could have used"),
    column("maxActiveClusters", &KernelRow::maxActiveClusters, Unit::count,
           "number of clusters that can be on the device at the same time"),
    column("sharedMemoryRequestedPercentage", &KernelRow::sharedMemoryRequestedPercentage,
           Unit::none,
           "requested share of shared memory (carve-out) in percent; NULL if the program requested "
           "none"),
    extra("channelId", &KernelRow::channelId, Unit::cupti_id,
          "hardware channel; streams with the same channel share a hardware queue"),
    extra_enumerated("channelType", &KernelRow::channelType, "ENUM_LAPSCOPE_CHANNEL_TYPE",
                     "kind of the channel"),
    extra(
        "queued", &KernelRow::queued, Unit::session_ns,
        "instant at which the kernel entered the command buffer; NULL without `record --latency`"),
    extra("submitted", &KernelRow::submitted, Unit::session_ns,
          "instant at which the kernel was sent to the GPU; NULL without `record --latency`"),
    extra("deviceLaunched", &KernelRow::deviceLaunched, Unit::flags,
          "1 if another kernel launched this kernel on the device; NULL otherwise"));

struct MemcpyRow {
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t deviceId{};
  std::int64_t contextId{};
  std::optional<std::int64_t> greenContextId;
  std::int64_t streamId{};
  std::optional<std::int64_t> correlationId;
  std::optional<std::int64_t> globalPid;
  std::int64_t bytes{};
  std::int64_t copyKind{};
  std::optional<std::int64_t> deprecatedSrcId;
  std::optional<std::int64_t> srcKind;
  std::optional<std::int64_t> dstKind;
  std::optional<std::int64_t> srcDeviceId;
  std::optional<std::int64_t> srcContextId;
  std::optional<std::int64_t> dstDeviceId;
  std::optional<std::int64_t> dstContextId;
  std::optional<std::int64_t> migrationCause;
  std::optional<std::int64_t> graphNodeId;
  std::optional<std::int64_t> virtualAddress;
  std::optional<std::int64_t> copyCount;
  std::optional<std::int64_t> graphId;
  std::optional<std::int64_t> channelId;
  std::optional<std::int64_t> channelType;
  std::optional<std::int64_t> flags;
};

template <>
inline constexpr auto describe<MemcpyRow> = table<MemcpyRow>(
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "One copy to, from or within a device, or one migration of managed memory. A copy between "
    "devices also has srcDeviceId and dstDeviceId.",
    column("start", &MemcpyRow::start, Unit::session_ns, "start on the GPU"),
    column("end", &MemcpyRow::end, Unit::session_ns, "end on the GPU; not part of the interval"),
    column("deviceId", &MemcpyRow::deviceId, Unit::cupti_id, "device whose engine copied"),
    column("contextId", &MemcpyRow::contextId, Unit::cupti_id, "CUDA context"),
    column("greenContextId", &MemcpyRow::greenContextId, Unit::id, "green context; not recorded"),
    column("streamId", &MemcpyRow::streamId, Unit::cupti_id, "stream"),
    column("correlationId", &MemcpyRow::correlationId, Unit::cupti_id,
           "together with the process, identifies the call that issued the copy; NULL for a "
           "migration"),
    column("globalPid", &MemcpyRow::globalPid, Unit::id, "process, as pid << 24 | 1 << 48"),
    within(bytes_moved, column("bytes", &MemcpyRow::bytes, Unit::bytes, "size")),
    enumerated("copyKind", &MemcpyRow::copyKind, "ENUM_CUDA_MEMCPY_OPER", "direction"),
    column("deprecatedSrcId", &MemcpyRow::deprecatedSrcId, Unit::none, "not recorded"),
    enumerated("srcKind", &MemcpyRow::srcKind, "ENUM_CUDA_MEM_KIND",
               "kind of the source memory; CUPTI's value - 1"),
    enumerated("dstKind", &MemcpyRow::dstKind, "ENUM_CUDA_MEM_KIND",
               "kind of the target memory; CUPTI's value - 1"),
    column("srcDeviceId", &MemcpyRow::srcDeviceId, Unit::cupti_id,
           "source device of a copy between devices"),
    column("srcContextId", &MemcpyRow::srcContextId, Unit::id,
           "context of the source, for a copy between devices"),
    column("dstDeviceId", &MemcpyRow::dstDeviceId, Unit::cupti_id,
           "target device of a copy between devices"),
    column("dstContextId", &MemcpyRow::dstContextId, Unit::id,
           "context of the target, for a copy between devices"),
    enumerated("migrationCause", &MemcpyRow::migrationCause, "ENUM_CUDA_UNIF_MEM_MIGRATION",
               "why the managed memory moved; NULL for copies"),
    column("graphNodeId", &MemcpyRow::graphNodeId, Unit::id,
           "CUDA graph node; NULL outside graphs"),
    column("virtualAddress", &MemcpyRow::virtualAddress, Unit::id,
           "address of the managed memory that moved; NULL for copies"),
    column("copyCount", &MemcpyRow::copyCount, Unit::count,
           "number of copies of a batched call that this row covers; NULL for a single copy"),
    extra("graphId", &MemcpyRow::graphId, Unit::id, "CUDA graph; NULL outside graphs"),
    extra("channelId", &MemcpyRow::channelId, Unit::cupti_id, "hardware channel"),
    extra_enumerated("channelType", &MemcpyRow::channelType, "ENUM_LAPSCOPE_CHANNEL_TYPE",
                     "kind of the channel; small pageable copies can run on a compute channel"),
    extra("flags", &MemcpyRow::flags, Unit::flags, "bit 0: issued by an asynchronous call"));

struct MemsetRow {
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t deviceId{};
  std::int64_t contextId{};
  std::optional<std::int64_t> greenContextId;
  std::int64_t streamId{};
  std::optional<std::int64_t> correlationId;
  std::optional<std::int64_t> globalPid;
  std::int64_t value{};
  std::int64_t bytes{};
  std::optional<std::int64_t> graphNodeId;
  std::optional<std::int64_t> memKind;
  std::optional<std::int64_t> graphId;
  std::optional<std::int64_t> channelId;
  std::optional<std::int64_t> channelType;
  std::optional<std::int64_t> flags;
};

template <>
inline constexpr auto describe<MemsetRow> = table<MemsetRow>(
    "CUPTI_ACTIVITY_KIND_MEMSET", "One memset on a device.",
    column("start", &MemsetRow::start, Unit::session_ns, "start on the GPU"),
    column("end", &MemsetRow::end, Unit::session_ns, "end on the GPU; not part of the interval"),
    column("deviceId", &MemsetRow::deviceId, Unit::cupti_id, "device"),
    column("contextId", &MemsetRow::contextId, Unit::cupti_id, "CUDA context"),
    column("greenContextId", &MemsetRow::greenContextId, Unit::id, "green context; not recorded"),
    column("streamId", &MemsetRow::streamId, Unit::cupti_id, "stream"),
    column("correlationId", &MemsetRow::correlationId, Unit::cupti_id,
           "together with the process, identifies the call that issued the memset"),
    column("globalPid", &MemsetRow::globalPid, Unit::id, "process, as pid << 24 | 1 << 48"),
    column("value", &MemsetRow::value, Unit::none, "value written"),
    within(bytes_moved, column("bytes", &MemsetRow::bytes, Unit::bytes, "size")),
    column("graphNodeId", &MemsetRow::graphNodeId, Unit::id,
           "CUDA graph node; NULL outside graphs"),
    enumerated("memKind", &MemsetRow::memKind, "ENUM_CUDA_MEM_KIND",
               "kind of the memory; CUPTI's value - 1"),
    extra("graphId", &MemsetRow::graphId, Unit::id, "CUDA graph; NULL outside graphs"),
    extra("channelId", &MemsetRow::channelId, Unit::cupti_id, "hardware channel"),
    extra_enumerated("channelType", &MemsetRow::channelType, "ENUM_LAPSCOPE_CHANNEL_TYPE",
                     "kind of the channel"),
    extra("flags", &MemsetRow::flags, Unit::flags, "bit 0: issued by an asynchronous call"));

struct GraphTraceRow {
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t deviceId{};
  std::int64_t contextId{};
  std::optional<std::int64_t> greenContextId;
  std::int64_t streamId{};
  std::optional<std::int64_t> correlationId;
  std::optional<std::int64_t> globalPid;
  std::int64_t graphId{};
  std::int64_t graphExecId{};
};

template <>
inline constexpr auto describe<GraphTraceRow> = table<GraphTraceRow>(
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "One execution of a whole graph. Only `record --graph-level` records graphs as a whole. It "
    "does not record the individual ops of a graph.",
    column("start", &GraphTraceRow::start, Unit::session_ns, "start on the GPU"),
    column("end", &GraphTraceRow::end, Unit::session_ns,
           "end on the GPU; not part of the interval"),
    column("deviceId", &GraphTraceRow::deviceId, Unit::cupti_id, "device of the first node"),
    column("contextId", &GraphTraceRow::contextId, Unit::cupti_id, "context of the first node"),
    column("greenContextId", &GraphTraceRow::greenContextId, Unit::id, "not recorded"),
    column("streamId", &GraphTraceRow::streamId, Unit::cupti_id,
           "stream in which the graph was launched"),
    column("correlationId", &GraphTraceRow::correlationId, Unit::cupti_id,
           "the call that launched the graph"),
    column("globalPid", &GraphTraceRow::globalPid, Unit::id, "process, as pid << 24 | 1 << 48"),
    column("graphId", &GraphTraceRow::graphId, Unit::id, "CUDA graph"),
    column("graphExecId", &GraphTraceRow::graphExecId, Unit::id, "equal to graphId"));

}  // namespace lapscope::schema

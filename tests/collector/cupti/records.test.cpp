#include "collector/cupti/records.h"

#include <cupti.h>

#include "tests/catch.h"

// Compares lapscope's record layouts with the toolkit's header, at compile time.
#if CUPTI_API_VERSION >= 130000

namespace lapscope::cupti::records {
namespace {

#define SAME_MEMBER(Ours, Theirs, member)                                                \
  static_assert(offsetof(Ours, member) == offsetof(Theirs, member), #Ours "::" #member); \
  static_assert(sizeof(static_cast<Ours*>(nullptr)->member) ==                           \
                    sizeof(static_cast<Theirs*>(nullptr)->member),                       \
                #Ours "::" #member);

// Applies SAME_MEMBER to each argument from the third on. A macro cannot call itself, so SCAN_4
// expands the list up to 256 times.
#define PARENTHESES ()
#define SCAN_4(...) SCAN_3(SCAN_3(SCAN_3(SCAN_3(__VA_ARGS__))))
#define SCAN_3(...) SCAN_2(SCAN_2(SCAN_2(SCAN_2(__VA_ARGS__))))
#define SCAN_2(...) SCAN_1(SCAN_1(SCAN_1(SCAN_1(__VA_ARGS__))))
#define SCAN_1(...) SCAN_0(SCAN_0(SCAN_0(SCAN_0(__VA_ARGS__))))
#define SCAN_0(...) __VA_ARGS__
#define NEXT_MEMBER(Ours, Theirs, member, ...) \
  SAME_MEMBER(Ours, Theirs, member)            \
  __VA_OPT__(NEXT_MEMBER_AGAIN PARENTHESES(Ours, Theirs, __VA_ARGS__))
#define NEXT_MEMBER_AGAIN() NEXT_MEMBER
#define SAME_LAYOUT(Ours, Theirs, ...)             \
  static_assert(sizeof(Ours) == sizeof(Theirs));   \
  static_assert(alignof(Ours) == alignof(Theirs)); \
  SCAN_4(NEXT_MEMBER(Ours, Theirs, __VA_ARGS__))

SAME_LAYOUT(Kernel, CUpti_ActivityKernel10, kind, cacheConfig, sharedMemoryConfig,
            registersPerThread, partitionedGlobalCacheRequested, partitionedGlobalCacheExecuted,
            start, end, completed, deviceId, contextId, streamId, gridX, gridY, gridZ, blockX,
            blockY, blockZ, staticSharedMemory, dynamicSharedMemory, localMemoryPerThread,
            localMemoryTotal, correlationId, gridId, name, reserved0, queued, submitted, launchType,
            isSharedMemoryCarveoutRequested, sharedMemoryCarveoutRequested, padding,
            sharedMemoryExecuted, graphNodeId, shmemLimitConfig, graphId, pAccessPolicyWindow,
            channelID, channelType, clusterX, clusterY, clusterZ, clusterSchedulingPolicy,
            localMemoryTotal_v2, maxPotentialClusterSize, maxActiveClusters, isDeviceLaunched,
            padding3)

SAME_LAYOUT(Memcpy, CUpti_ActivityMemcpy6, kind, copyKind, srcKind, dstKind, flags, bytes, start,
            end, deviceId, contextId, streamId, correlationId, runtimeCorrelationId, pad, reserved0,
            graphNodeId, graphId, channelID, channelType, isDeviceLaunched, pad2, copyCount)

SAME_LAYOUT(MemcpyPeer, CUpti_ActivityMemcpyPtoP4, kind, copyKind, srcKind, dstKind, flags, bytes,
            start, end, deviceId, contextId, streamId, srcDeviceId, srcContextId, dstDeviceId,
            dstContextId, correlationId, reserved0, graphNodeId, graphId, channelID, channelType)

SAME_LAYOUT(Memset, CUpti_ActivityMemset4, kind, value, bytes, start, end, deviceId, contextId,
            streamId, correlationId, flags, memoryKind, pad, reserved0, graphNodeId, graphId,
            channelID, channelType, isDeviceLaunched, pad2)

SAME_LAYOUT(MemoryPool, CUpti_ActivityMemoryPool3, kind, memoryPoolOperationType, memoryPoolType,
            correlationId, processId, deviceId, minBytesToKeep, address, size, releaseThreshold,
            timestamp, utilizedSize, isManagedPool, pad2)

SAME_LAYOUT(UnifiedMemoryCounter, CUpti_ActivityUnifiedMemoryCounter3, kind, counterKind, value,
            start, end, address, srcId, dstId, streamId, processId, flags, pad, processors)

SAME_LAYOUT(GraphTrace, CUpti_ActivityGraphTrace2, kind, correlationId, start, end, deviceId,
            graphId, contextId, streamId, reserved, endDeviceId, endContextId)

SAME_LAYOUT(Jit, CUpti_ActivityJit2, kind, jitEntryType, jitOperationType, deviceId, start, end,
            correlationId, padding, jitOperationCorrelationId, cacheSize, cachePath, processId,
            threadId)

SAME_LAYOUT(Api, CUpti_ActivityAPI, kind, cbid, start, end, processId, threadId, correlationId,
            returnValue)

SAME_LAYOUT(Synchronization, CUpti_ActivitySynchronization2, kind, type, start, end, correlationId,
            contextId, streamId, cudaEventId, cudaEventSyncId, returnValue, pad)

SAME_LAYOUT(CudaEvent, CUpti_ActivityCudaEvent2, kind, correlationId, contextId, streamId, eventId,
            pad, deviceId, pad2, reserved0, deviceTimestamp, cudaEventSyncId)

SAME_LAYOUT(Stream, CUpti_ActivityStream, kind, contextId, streamId, priority, flag, correlationId)

SAME_LAYOUT(Context, CUpti_ActivityContext3, kind, contextId, deviceId, computeApiKind,
            nullStreamId, parentContextId, isGreenContext, padding, numMultiprocessors, cigMode,
            padding2)

SAME_LAYOUT(Device, CUpti_ActivityDevice5, kind, flags, globalMemoryBandwidth, globalMemorySize,
            constantMemorySize, l2CacheSize, numThreadsPerWarp, coreClockRate, numMemcpyEngines,
            numMultiprocessors, maxIPC, maxWarpsPerMultiprocessor, maxBlocksPerMultiprocessor,
            maxSharedMemoryPerMultiprocessor, maxRegistersPerMultiprocessor, maxRegistersPerBlock,
            maxSharedMemoryPerBlock, maxThreadsPerBlock, maxBlockDimX, maxBlockDimY, maxBlockDimZ,
            maxGridDimX, maxGridDimY, maxGridDimZ, computeCapabilityMajor, computeCapabilityMinor,
            id, eccEnabled, uuid, name, isCudaVisible, isMigEnabled, reserved, gpuInstanceId,
            computeInstanceId, migUuid, isNumaNode, numaId)

SAME_LAYOUT(Memory, CUpti_ActivityMemory4, kind, memoryOperationType, memoryKind, correlationId,
            address, bytes, timestamp, PC, processId, deviceId, contextId, streamId, name, isAsync,
            pad1, memoryPoolConfig, memoryPoolConfig.memoryPoolType, memoryPoolConfig.pad2,
            memoryPoolConfig.address, memoryPoolConfig.releaseThreshold,
            memoryPoolConfig.utilizedSize, source)
static_assert(offsetof(Memory, memoryPoolConfig.size) ==
              offsetof(CUpti_ActivityMemory4, memoryPoolConfig.pool.size));
static_assert(offsetof(Memory, memoryPoolConfig.size) ==
              offsetof(CUpti_ActivityMemory4, memoryPoolConfig.pool.processId));

SAME_LAYOUT(Overhead, CUpti_ActivityOverhead3, kind, overheadKind, objectKind, objectId,
            objectId.pt.processId, objectId.pt.threadId, objectId.dcs.deviceId,
            objectId.dcs.contextId, objectId.dcs.streamId, start, end, correlationId, reserved0,
            overheadData)

SAME_LAYOUT(CommandBufferFull, CUpti_ActivityOverheadCommandBufferFullData, commandBufferLength,
            channelID, channelType)

SAME_LAYOUT(Marker, CUpti_ActivityMarker2, kind, flags, timestamp, id, objectKind, objectId, pad,
            name, domain)

// The header of CUDA 13.2 and later has another layout.
#if CUPTI_API_VERSION < 130200
#define SAME_END(member)                                                 \
  static_assert(offsetof(NvLink, ends) + offsetof(NvLinkEnds, member) == \
                offsetof(CUpti_ActivityNvLink4, member))
SAME_END(kind);
SAME_END(nvlinkVersion);
SAME_END(typeDev0);
SAME_END(typeDev1);
SAME_END(idDev0);
SAME_END(idDev1);
SAME_END(flag);
SAME_END(physicalNvLinkCount);
SAME_LAYOUT(NvLink, CUpti_ActivityNvLink4, portDev0, portDev1, bandwidth, nvswitchConnected, pad)
#endif
static_assert(sizeof(NvLink) != sizeof(NvLinkWithPointers), "the size tells which it is");

TEST_CASE("record layouts are those of the toolkit's header", "[cupti]") {
  SUCCEED("checked while compiling");
}

}  // namespace
}  // namespace lapscope::cupti::records

#else

TEST_CASE("record layouts are those of the toolkit's header", "[cupti]") {
  test::skip_because("the header is older than the layouts, which are those of CUDA 13.0");
}

#endif

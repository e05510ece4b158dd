#pragma once

#include <cstdint>

// Layouts of CUPTI's activity records on x86-64 and AArch64, as libcupti 13.0 writes them.
//
// libcupti always writes the newest layout that it knows, whichever header its client was compiled
// with. Since CUDA 11 every family of records, except NVLink, has only grown at its end. lapscope
// therefore declares the layouts itself, and one build reads the records of libcupti 12 and 13.
// Members that a shorter record lacks have the value 0 (see RecordView). Members have CUPTI's
// names. tests/collector/cupti/records.test.cpp compares the layouts with the toolkit's header.
namespace lapscope::cupti::records {

struct alignas(8) Kernel {  // CUpti_ActivityKernel10
  std::uint32_t kind;
  std::uint8_t cacheConfig;  // requested: low four bits; executed: high four
  std::uint8_t sharedMemoryConfig;
  std::uint16_t registersPerThread;
  std::uint32_t partitionedGlobalCacheRequested;
  std::uint32_t partitionedGlobalCacheExecuted;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t completed;
  std::uint32_t deviceId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  std::int32_t gridX;
  std::int32_t gridY;
  std::int32_t gridZ;
  std::int32_t blockX;
  std::int32_t blockY;
  std::int32_t blockZ;
  std::int32_t staticSharedMemory;
  std::int32_t dynamicSharedMemory;
  std::uint32_t localMemoryPerThread;
  std::uint32_t localMemoryTotal;
  std::uint32_t correlationId;
  std::int64_t gridId;
  const char* name;
  void* reserved0;
  std::uint64_t queued;
  std::uint64_t submitted;
  std::uint8_t launchType;
  std::uint8_t isSharedMemoryCarveoutRequested;
  std::uint8_t sharedMemoryCarveoutRequested;
  std::uint8_t padding;
  std::uint32_t sharedMemoryExecuted;
  std::uint64_t graphNodeId;
  std::uint32_t shmemLimitConfig;
  std::uint32_t graphId;
  void* pAccessPolicyWindow;
  std::uint32_t channelID;
  std::uint32_t channelType;
  std::uint32_t clusterX;
  std::uint32_t clusterY;
  std::uint32_t clusterZ;
  std::uint32_t clusterSchedulingPolicy;
  std::uint64_t localMemoryTotal_v2;
  std::uint32_t maxPotentialClusterSize;
  std::uint32_t maxActiveClusters;
  std::uint8_t isDeviceLaunched;
  std::uint8_t padding3[7];
};

struct alignas(8) Memcpy {  // CUpti_ActivityMemcpy6
  std::uint32_t kind;
  std::uint8_t copyKind;
  std::uint8_t srcKind;
  std::uint8_t dstKind;
  std::uint8_t flags;
  std::uint64_t bytes;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t deviceId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  std::uint32_t correlationId;
  std::uint32_t runtimeCorrelationId;
  std::uint32_t pad;
  void* reserved0;
  std::uint64_t graphNodeId;
  std::uint32_t graphId;
  std::uint32_t channelID;
  std::uint32_t channelType;
  std::uint8_t isDeviceLaunched;
  std::uint8_t pad2[3];
  std::uint64_t copyCount;
};

struct alignas(8) MemcpyPeer {  // CUpti_ActivityMemcpyPtoP4
  std::uint32_t kind;
  std::uint8_t copyKind;
  std::uint8_t srcKind;
  std::uint8_t dstKind;
  std::uint8_t flags;
  std::uint64_t bytes;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t deviceId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  std::uint32_t srcDeviceId;
  std::uint32_t srcContextId;
  std::uint32_t dstDeviceId;
  std::uint32_t dstContextId;
  std::uint32_t correlationId;
  void* reserved0;
  std::uint64_t graphNodeId;
  std::uint32_t graphId;
  std::uint32_t channelID;
  std::uint32_t channelType;
};

struct alignas(8) Memset {  // CUpti_ActivityMemset4
  std::uint32_t kind;
  std::uint32_t value;
  std::uint64_t bytes;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t deviceId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  std::uint32_t correlationId;
  std::uint16_t flags;
  std::uint16_t memoryKind;
  std::uint32_t pad;
  void* reserved0;
  std::uint64_t graphNodeId;
  std::uint32_t graphId;
  std::uint32_t channelID;
  std::uint32_t channelType;
  std::uint8_t isDeviceLaunched;
  std::uint8_t pad2[3];
};

struct alignas(8) Api {  // CUpti_ActivityAPI: runtime, driver
  std::uint32_t kind;
  std::uint32_t cbid;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t processId;
  std::uint32_t threadId;
  std::uint32_t correlationId;
  std::uint32_t returnValue;
};

struct alignas(8) Synchronization {  // CUpti_ActivitySynchronization2
  std::uint32_t kind;
  std::uint32_t type;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t correlationId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  std::uint32_t cudaEventId;
  std::uint64_t cudaEventSyncId;
  std::uint32_t returnValue;
  std::uint32_t pad;
};

struct alignas(8) CudaEvent {  // CUpti_ActivityCudaEvent2
  std::uint32_t kind;
  std::uint32_t correlationId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  std::uint32_t eventId;
  std::uint32_t pad;
  std::uint32_t deviceId;
  std::uint32_t pad2;
  void* reserved0;
  std::uint64_t deviceTimestamp;
  std::uint64_t cudaEventSyncId;
};

struct alignas(8) Stream {  // CUpti_ActivityStream
  std::uint32_t kind;
  std::uint32_t contextId;
  std::uint32_t streamId;
  std::uint32_t priority;
  std::uint32_t flag;
  std::uint32_t correlationId;
};

struct alignas(8) Context {  // CUpti_ActivityContext3
  std::uint32_t kind;
  std::uint32_t contextId;
  std::uint32_t deviceId;
  std::uint16_t computeApiKind;
  std::uint16_t nullStreamId;
  std::uint32_t parentContextId;
  std::uint8_t isGreenContext;
  std::uint8_t padding;
  std::uint16_t numMultiprocessors;
  std::uint32_t cigMode;
  std::uint32_t padding2;
};

struct alignas(8) Device {  // CUpti_ActivityDevice5
  std::uint32_t kind;
  std::uint32_t flags;
  std::uint64_t globalMemoryBandwidth;  // kbytes/s
  std::uint64_t globalMemorySize;
  std::uint32_t constantMemorySize;
  std::uint32_t l2CacheSize;
  std::uint32_t numThreadsPerWarp;
  std::uint32_t coreClockRate;  // kHz
  std::uint32_t numMemcpyEngines;
  std::uint32_t numMultiprocessors;
  std::uint32_t maxIPC;
  std::uint32_t maxWarpsPerMultiprocessor;
  std::uint32_t maxBlocksPerMultiprocessor;
  std::uint32_t maxSharedMemoryPerMultiprocessor;
  std::uint32_t maxRegistersPerMultiprocessor;
  std::uint32_t maxRegistersPerBlock;
  std::uint32_t maxSharedMemoryPerBlock;
  std::uint32_t maxThreadsPerBlock;
  std::uint32_t maxBlockDimX;
  std::uint32_t maxBlockDimY;
  std::uint32_t maxBlockDimZ;
  std::uint32_t maxGridDimX;
  std::uint32_t maxGridDimY;
  std::uint32_t maxGridDimZ;
  std::uint32_t computeCapabilityMajor;
  std::uint32_t computeCapabilityMinor;
  std::uint32_t id;
  std::uint32_t eccEnabled;
  std::uint8_t uuid[16];
  const char* name;
  std::uint8_t isCudaVisible;
  std::uint8_t isMigEnabled;
  std::uint8_t reserved[6];
  std::uint32_t gpuInstanceId;
  std::uint32_t computeInstanceId;
  std::uint8_t migUuid[16];
  std::uint32_t isNumaNode;
  std::uint32_t numaId;
};

struct alignas(8) MemoryPoolConfig {
  std::uint32_t memoryPoolType;
  std::uint32_t pad2;
  std::uint64_t address;
  std::uint64_t releaseThreshold;
  std::uint64_t size;  // for an imported pool: the owner's process id
  std::uint64_t utilizedSize;
};

struct alignas(8) Memory {  // CUpti_ActivityMemory4
  std::uint32_t kind;
  std::uint32_t memoryOperationType;
  std::uint32_t memoryKind;
  std::uint32_t correlationId;
  std::uint64_t address;
  std::uint64_t bytes;
  std::uint64_t timestamp;
  std::uint64_t PC;
  std::uint32_t processId;
  std::uint32_t deviceId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  const char* name;
  std::uint32_t isAsync;
  std::uint32_t pad1;
  MemoryPoolConfig memoryPoolConfig;
  const char* source;
};

struct alignas(8) MemoryPool {  // CUpti_ActivityMemoryPool3
  std::uint32_t kind;
  std::uint32_t memoryPoolOperationType;
  std::uint32_t memoryPoolType;
  std::uint32_t correlationId;
  std::uint32_t processId;
  std::uint32_t deviceId;
  std::uint64_t minBytesToKeep;
  std::uint64_t address;
  std::uint64_t size;
  std::uint64_t releaseThreshold;
  std::uint64_t timestamp;
  std::uint64_t utilizedSize;
  std::uint8_t isManagedPool;
  std::uint8_t pad2[7];
};

struct alignas(8) UnifiedMemoryCounter {  // CUpti_ActivityUnifiedMemoryCounter3
  std::uint32_t kind;
  std::uint32_t counterKind;
  std::uint64_t value;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t address;
  std::uint32_t srcId;
  std::uint32_t dstId;
  std::uint32_t streamId;
  std::uint32_t processId;
  std::uint32_t flags;
  std::uint32_t pad;
  std::uint64_t processors[5];
};

struct alignas(8) GraphTrace {  // CUpti_ActivityGraphTrace2
  std::uint32_t kind;
  std::uint32_t correlationId;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t deviceId;
  std::uint32_t graphId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  void* reserved;
  std::uint32_t endDeviceId;
  std::uint32_t endContextId;
};

struct alignas(8) Jit {  // CUpti_ActivityJit2
  std::uint32_t kind;
  std::uint32_t jitEntryType;
  std::uint32_t jitOperationType;
  std::uint32_t deviceId;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t correlationId;
  std::uint32_t padding;
  std::uint64_t jitOperationCorrelationId;
  std::uint64_t cacheSize;
  const char* cachePath;
  std::uint32_t processId;
  std::uint32_t threadId;
};

union ObjectId {  // CUpti_ActivityObjectKindId
  struct {
    std::uint32_t processId;
    std::uint32_t threadId;
  } pt;
  struct {
    std::uint32_t deviceId;
    std::uint32_t contextId;
    std::uint32_t streamId;
  } dcs;
};

struct alignas(8) Overhead {  // CUpti_ActivityOverhead3
  std::uint32_t kind;
  std::uint32_t overheadKind;
  std::uint32_t objectKind;
  ObjectId objectId;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t correlationId;
  std::uint32_t reserved0;
  void* overheadData;  // malloc'ed by CUPTI for its client to free
};

struct CommandBufferFull {  // CUpti_ActivityOverheadCommandBufferFullData
  std::uint32_t commandBufferLength;
  std::uint32_t channelID;
  std::uint32_t channelType;
};

struct alignas(8) Marker {  // CUpti_ActivityMarker2
  std::uint32_t kind;
  std::uint32_t flags;
  std::uint64_t timestamp;
  std::uint32_t id;
  std::uint32_t objectKind;
  ObjectId objectId;
  std::uint32_t pad;
  const char* name;    // NULL in the record that ends a range
  const char* domain;  // NULL for the default domain
};

// One logical NVLink. Unlike the other records, this record has also changed in the middle. In CUDA
// 13.2 (CUpti_ActivityNvLink5), the ports became pointers, and the members after them moved.
// NvLinkEnds has the members that all versions share. The size of a record shows its version.
struct NvLinkEnds {
  std::uint32_t kind;
  std::uint32_t nvlinkVersion;
  std::uint32_t typeDev0;
  std::uint32_t typeDev1;
  std::uint8_t idDev0[16];
  std::uint8_t idDev1[16];
  std::uint32_t flag;
  std::uint32_t physicalNvLinkCount;
};

struct alignas(8) NvLink {  // CUpti_ActivityNvLink4
  NvLinkEnds ends;
  std::int8_t portDev0[32];
  std::int8_t portDev1[32];
  std::uint64_t bandwidth;  // kbytes/s
  std::uint8_t nvswitchConnected;
  std::uint8_t pad[7];
};

struct alignas(8) NvLinkWithPointers {  // CUpti_ActivityNvLink5
  NvLinkEnds ends;
  std::uint32_t* portDev0;  // malloc'ed by CUPTI for its client to free
  std::uint32_t* portDev1;
  std::uint64_t bandwidth;  // kbytes/s
  std::uint8_t nvswitchConnected;
  std::uint8_t pad[7];
};

}  // namespace lapscope::cupti::records

#pragma once

#include "collector/schema/table.h"

// Tables of memory pools and of page faults on managed memory. Page faults are recorded only if the
// user asked for them.
namespace lapscope::schema {

struct MemoryPoolRow {
  TABLE(MemoryPoolRow, "CUDA_GPU_MEMORY_POOL_EVENTS",
        "One creation, trimming or destruction of a memory pool.");
  COLUMN(Int, start, session_ns, "instant, host time");
  COLUMN(Int, globalPid, id, "process");
  COLUMN(Int, deviceId, cupti_id, "device");
  COLUMN(Int, address, id, "the pool");
  CODE(Int, operationType, "ENUM_CUDA_MEMPOOL_OPER", "creation, trimming or destruction");
  CODE(Int, poolType, "ENUM_CUDA_MEMPOOL_TYPE",
       "pool of this process (local), or pool of another process (imported)");
  COLUMN(MaybeInt, correlationId, cupti_id, "the call");
  COLUMN(MaybeInt, minBytesToKeep, bytes,
         "size that the pool keeps when it is trimmed; NULL for other operations");
  COLUMN(MaybeInt, localMemoryPoolReleaseThreshold, bytes,
         "release threshold; NULL for an imported pool");
  COLUMN(MaybeInt, localMemoryPoolSize, bytes, "size of the pool; NULL for an imported pool");
  COLUMN(MaybeInt, localMemoryPoolUtilizedSize, bytes,
         "used part of the pool; NULL for an imported pool");
};

struct CpuPageFaultRow {
  TABLE(CpuPageFaultRow, "CUDA_UM_CPU_PAGE_FAULT_EVENTS",
        "One page fault of the host on managed memory. Only `record --unified-memory` records page "
        "faults.");
  COLUMN(Int, start, session_ns, "instant, host time");
  COLUMN(Int, globalPid, id, "process");
  COLUMN(Int, address, id, "address of the page");
  COLUMN(Int, CpuInstruction, id, "address of the instruction that touched the page");
  COLUMN(Int, module, string_id,
         "function of that instruction; if its name is not known, library and offset");
};

struct GpuPageFaultRow {
  TABLE(GpuPageFaultRow, "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
        "Page faults of a device on one page of managed memory. Only `record --unified-memory` "
        "records page faults.");
  COLUMN(Int, start, session_ns, "when the driver began to handle the faults");
  COLUMN(Int, end, session_ns, "when the device could continue");
  COLUMN(Int, globalPid, id, "process");
  COLUMN(Int, deviceId, cupti_id, "device");
  COLUMN(Int, address, id, "address of the page");
  COLUMN(Int, numberOfPageFaults, count, "number of groups of page faults on that page");
  CODE(Int, faultAccessType, "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", "kind of access");
};

}  // namespace lapscope::schema

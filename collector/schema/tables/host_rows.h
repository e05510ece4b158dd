#pragma once

#include "collector/schema/table.h"

// Tables of the host: API calls, synchronisation, events, memory, NVTX, and the overhead of
// tracing.
namespace lapscope::schema {

struct ApiCallRow {
  TABLE(ApiCallRow, "CUPTI_ACTIVITY_KIND_RUNTIME",
        "One call of the CUDA runtime or driver API. Only `record --all-calls` records all calls. "
        "Other recordings leave out short calls that neither issue work nor wait, such as "
        "cudaGetDevice.");
  COLUMN(Int, start, session_ns, "entry of the call, host time");
  COLUMN(Int, end, session_ns, "return of the call, host time");
  CODE(Int, eventClass, "ENUM_NSYS_EVENT_CLASS", "runtime or driver");
  COLUMN(MaybeInt, globalTid, id, "thread, as 1 << 48 | pid << 24 | system thread id");
  COLUMN(MaybeInt, correlationId, cupti_id,
         "id of the call, unique in the process; the activities that the call issued have the same "
         "value");
  COLUMN(Int, nameId, string_id,
         "name of the function with CUPTI's version suffix, such as cudaLaunchKernel_v7000");
  COLUMN(Int, returnValue, none, "cudaError_t or CUresult");
  COLUMN(MaybeInt, callchainId, id,
         "call stack at the entry of the call, as CUDA_CALLCHAINS.id; NULL if the stack was not "
         "recorded");
  EXTRA(MaybeInt, cbid, cupti_id, "CUPTI callback id of the function");
  EXTRA(MaybeInt, stackNs, ns,
        "time that the capture of the call stack added to the call; in steps of 32 ns, at most 0.5 "
        "ms");
};

struct SynchronizationRow {
  TABLE(SynchronizationRow, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
        "One explicit synchronisation or query. Implicit waits (cudaFree, blocking copies) have no "
        "row, because CUPTI has no record for them.");
  COLUMN(Int, start, session_ns, "begin of the wait, host time");
  COLUMN(Int, end, session_ns, "end of the wait, host time");
  COLUMN(Int, deviceId, cupti_id, "device of the context; 4294967295 if the context is not known");
  COLUMN(Int, contextId, cupti_id, "context in which the stream or event was made");
  COLUMN(MaybeInt, greenContextId, id, "not recorded");
  COLUMN(Int, streamId, cupti_id,
         "stream that waits, or stream that the host waits for; 4294967295 if there is none");
  COLUMN(MaybeInt, correlationId, cupti_id, "the call");
  COLUMN(MaybeInt, globalPid, id, "process");
  COLUMN(MaybeInt, deprecatedSyncType, none, "not recorded");
  CODE(Int, syncType, "ENUM_CUPTI_SYNC_TYPE", "kind of wait or query");
  COLUMN(Int, eventId, cupti_id,
         "event that the call waits for or queries; 4294967295 if there is none");
  COLUMN(MaybeInt, eventSyncId, cupti_id,
         "number of the awaited record of the event, as in "
         "CUPTI_ACTIVITY_KIND_CUDA_EVENT.eventSyncId");
  EXTRA(MaybeInt, returnValue, none,
        "result of the call; 600 if the queried work was not done. If lapscope used callbacks for "
        "this kind (see LAPSCOPE_RECORDS), a failed call has no row");
};

struct CudaEventRow {
  TABLE(CudaEventRow, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
        "One call that records an event, such as cudaEventRecord.");
  COLUMN(MaybeInt, timestamp, session_ns,
         "instant at which the GPU reached the event. It requires CUDA 13.0 or later. It also "
         "requires `--event-times`, `--all-calls`, or a capture of a part of the run without "
         "`--armed`. NULL otherwise");
  COLUMN(Int, deviceId, cupti_id, "device");
  COLUMN(Int, contextId, cupti_id, "CUDA context");
  COLUMN(MaybeInt, greenContextId, id, "not recorded");
  COLUMN(Int, streamId, cupti_id, "stream in which the event was recorded");
  COLUMN(MaybeInt, correlationId, cupti_id, "the call");
  COLUMN(MaybeInt, globalPid, id, "process");
  COLUMN(Int, eventId, cupti_id, "event; a later event may have the same id");
  COLUMN(MaybeInt, eventSyncId, cupti_id,
         "number of this record of the event; 0 if the record was captured into a graph");
};

struct OverheadRow {
  TABLE(OverheadRow, "CUPTI_ACTIVITY_KIND_OVERHEAD",
        "One interval of host time that CUPTI or the driver added to the program's own work.");
  COLUMN(Int, start, session_ns, "begin, host time");
  COLUMN(Int, end, session_ns, "end, host time");
  CODE(Int, eventClass, "ENUM_NSYS_EVENT_CLASS", "always overhead");
  COLUMN(MaybeInt, globalTid, id, "thread; NULL if the overhead belongs to no thread");
  COLUMN(MaybeInt, correlationId, cupti_id,
         "the call that caused the overhead; NULL if no call caused it");
  COLUMN(MaybeInt, nameId, string_id, "label of overheadType");
  CODE(Int, overheadType, "ENUM_CUPTI_OVERHEAD_TYPE", "kind of overhead; CUPTI uses other codes");
  EXTRA(MaybeInt, channelId, cupti_id,
        "hardware channel whose command buffer was full; NULL otherwise");
};

struct MemoryRow {
  TABLE(MemoryRow, "CUDA_GPU_MEMORY_USAGE_EVENTS",
        "One allocation or release of device, pinned or managed memory.");
  COLUMN(Int, start, session_ns, "instant, host time");
  COLUMN(Int, globalPid, id, "process");
  COLUMN(Int, deviceId, cupti_id, "device");
  COLUMN(Int, contextId, cupti_id, "CUDA context");
  COLUMN(Int, address, id, "virtual address");
  COLUMN(Int, pc, id, "program counter of the call");
  COLUMN(Int, bytes, bytes, "size");
  CODE(Int, memKind, "ENUM_CUDA_MEM_KIND", "kind of the memory; CUPTI's value - 1");
  CODE(Int, memoryOperationType, "ENUM_CUDA_DEV_MEM_EVENT_OPER",
       "allocation or release; CUPTI's value - 1");
  COLUMN(MaybeText, name, none, "name of the variable, for a static allocation");
  COLUMN(MaybeInt, correlationId, cupti_id, "the call");
  COLUMN(MaybeInt, localMemoryPoolAddress, id, "pool of the allocation; NULL outside pools");
  COLUMN(MaybeInt, localMemoryPoolReleaseThreshold, bytes,
         "release threshold of the pool; -1 if the pool never releases memory", Domain{});
  COLUMN(MaybeInt, localMemoryPoolSize, bytes, "size of the pool");
  COLUMN(MaybeInt, localMemoryPoolUtilizedSize, bytes, "used part of the pool");
  COLUMN(MaybeInt, importedMemoryPoolAddress, id,
         "pool that this process imported from another process");
  COLUMN(MaybeInt, importedMemoryPoolProcessId, id,
         "id of the process that owns the imported pool");
  EXTRA(MaybeInt, streamId, cupti_id, "stream of an asynchronous operation; NULL otherwise");
  EXTRA(MaybeInt, isAsync, flags, "1 for cudaMallocAsync and cudaFreeAsync; NULL otherwise");
};

struct NvtxRow {
  TABLE(NvtxRow, "NVTX_EVENTS",
        "One NVTX range, mark or domain. CUPTI does not distinguish push/pop ranges from start/end "
        "ranges. lapscope therefore stores a range as a push/pop range if one thread began and "
        "ended it. It stores all other ranges as start/end ranges.");
  COLUMN(Int, start, session_ns, "begin, or the instant of a mark");
  COLUMN(MaybeInt, end, session_ns, "end; NULL for a mark, and for a range that was never closed");
  CODE(Int, eventType, "ENUM_NSYS_EVENT_TYPE", "mark, range or domain");
  COLUMN(MaybeInt, rangeId, id, "CUPTI's marker id");
  COLUMN(MaybeInt, category, id, "not recorded");
  COLUMN(MaybeInt, color, none, "not recorded");
  COLUMN(MaybeText, text, none, "name of a domain; NULL otherwise");
  COLUMN(MaybeInt, globalTid, id, "thread");
  COLUMN(MaybeInt, endGlobalTid, id,
         "thread that ended the range, if another thread began it; NULL otherwise");
  COLUMN(MaybeInt, textId, string_id, "name of a range or mark");
  COLUMN(MaybeInt, domainId, id, "domain; 0 is the default domain");
  COLUMN(MaybeInt, uint64Value, none, "not recorded");
  COLUMN(MaybeInt, int64Value, none, "not recorded");
  COLUMN(MaybeReal, doubleValue, none, "not recorded");
  COLUMN(MaybeInt, uint32Value, none, "not recorded");
  COLUMN(MaybeInt, int32Value, none, "not recorded");
  COLUMN(MaybeReal, floatValue, none, "not recorded");
  COLUMN(MaybeInt, jsonTextId, string_id,
         "extended payload as a JSON object; its keys are the names in the payload's schema. NULL "
         "if there is no payload");
  COLUMN(MaybeText, jsonText, none, "extended payload as text; only in exports of Nsight Systems");
  EXTRA(MaybeInt, sequence, none,
        "number that a forward operator and its derivative have in common; only for operators that "
        "PyTorch's profiler recorded");
  EXTRA(MaybeInt, isBackward, none,
        "1 for the derivative of an operator; only for operators that PyTorch's profiler recorded");
};

struct CompilationRow {
  TABLE(CompilationRow, "LAPSCOPE_COMPILATIONS",
        "One compilation by the driver (PTX to machine code), or one access to the driver's cache. "
        "The path of the cache is not stored.");
  COLUMN(Int, start, session_ns, "begin, host time");
  COLUMN(Int, end, session_ns, "end, host time");
  COLUMN(Int, deviceId, cupti_id, "device");
  COLUMN(MaybeInt, globalTid, id,
         "thread; NULL before CUDA 12.4, because CUPTI does not report it");
  COLUMN(MaybeInt, correlationId, cupti_id,
         "the call that caused the compilation; NULL if no call caused it");
  CODE(Int, entryType, "ENUM_LAPSCOPE_JIT_ENTRY", "source and target of the compilation");
  CODE(Int, operationType, "ENUM_LAPSCOPE_JIT_OPERATION",
       "compilation, or read or write of the cache");
  COLUMN(Int, operationId, id, "number that all rows of one compilation have in common");
  COLUMN(
      MaybeInt, cacheSize, bytes,
      "size of the data that the driver read from or wrote to the cache; NULL for a compilation");
};

struct CpuTimeRow {
  TABLE(CpuTimeRow, "LAPSCOPE_CPU_TIMES",
        "One reading of the CPU time of a thread. lapscope takes a reading at the begin or end of "
        "a call, at least 100 us after the thread's previous reading. The difference of two "
        "readings is the time for which the thread ran between them. For the rest of the time "
        "between the two readings, the thread waited, or other threads had the processor.");
  COLUMN(Int, start, session_ns, "instant of the reading");
  COLUMN(Int, globalTid, id, "thread");
  COLUMN(Int, onCpuNs, ns, "CPU time since the thread began, by CLOCK_THREAD_CPUTIME_ID");
};

}  // namespace lapscope::schema

#pragma once

#include "collector/schema/table.h"

// Tables of the host: API calls, synchronisation, events, memory, NVTX, and the overhead of
// tracing.
namespace lapscope::schema {

struct ApiCallRow {
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t eventClass{};
  std::optional<std::int64_t> globalTid;
  std::optional<std::int64_t> correlationId;
  std::int64_t nameId{};
  std::int64_t returnValue{};
  std::optional<std::int64_t> callchainId;
  std::optional<std::int64_t> cbid;
  std::optional<std::int64_t> stackNs;
};

template <>
inline constexpr auto describe<ApiCallRow> = table<ApiCallRow>(
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "One call of the CUDA runtime or driver API. Only `record --all-calls` records all calls. "
    "Other recordings leave out short calls that neither issue work nor wait, such as "
    "cudaGetDevice.",
    column("start", &ApiCallRow::start, Unit::session_ns, "entry of the call, host time"),
    column("end", &ApiCallRow::end, Unit::session_ns, "return of the call, host time"),
    enumerated("eventClass", &ApiCallRow::eventClass, "ENUM_NSYS_EVENT_CLASS", "runtime or driver"),
    column("globalTid", &ApiCallRow::globalTid, Unit::id,
           "thread, as 1 << 48 | pid << 24 | system thread id"),
    column("correlationId", &ApiCallRow::correlationId, Unit::cupti_id,
           "id of the call, unique in the process; the activities that the call issued have the "
           "same value"),
    column("nameId", &ApiCallRow::nameId, Unit::string_id,
           "name of the function with CUPTI's version suffix, such as cudaLaunchKernel_v7000"),
    column("returnValue", &ApiCallRow::returnValue, Unit::none, "cudaError_t or CUresult"),
    column("callchainId", &ApiCallRow::callchainId, Unit::id,
           "call stack at the entry of the call, as CUDA_CALLCHAINS.id; NULL if the stack was not "
           "recorded"),
    extra("cbid", &ApiCallRow::cbid, Unit::cupti_id, "CUPTI callback id of the function"),
    extra("stackNs", &ApiCallRow::stackNs, Unit::ns,
          "time that the capture of the call stack added to the call; in steps of 32 ns, at most "
          "0.5 ms"));

struct SynchronizationRow {
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t deviceId{};
  std::int64_t contextId{};
  std::optional<std::int64_t> greenContextId;
  std::int64_t streamId{};
  std::optional<std::int64_t> correlationId;
  std::optional<std::int64_t> globalPid;
  std::optional<std::int64_t> deprecatedSyncType;
  std::int64_t syncType{};
  std::int64_t eventId{};
  std::optional<std::int64_t> eventSyncId;
  std::optional<std::int64_t> returnValue;
};

template <>
inline constexpr auto describe<SynchronizationRow> = table<SynchronizationRow>(
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "One explicit synchronisation or query. Implicit waits (cudaFree, blocking copies) have no "
    "row, because CUPTI has no record for them.",
    column("start", &SynchronizationRow::start, Unit::session_ns, "begin of the wait, host time"),
    column("end", &SynchronizationRow::end, Unit::session_ns, "end of the wait, host time"),
    column("deviceId", &SynchronizationRow::deviceId, Unit::cupti_id,
           "device of the context; 4294967295 if the context is not known"),
    column("contextId", &SynchronizationRow::contextId, Unit::cupti_id,
           "context in which the stream or event was made"),
    column("greenContextId", &SynchronizationRow::greenContextId, Unit::id, "not recorded"),
    column("streamId", &SynchronizationRow::streamId, Unit::cupti_id,
           "stream that waits, or stream that the host waits for; 4294967295 if there is none"),
    column("correlationId", &SynchronizationRow::correlationId, Unit::cupti_id, "the call"),
    column("globalPid", &SynchronizationRow::globalPid, Unit::id, "process"),
    column("deprecatedSyncType", &SynchronizationRow::deprecatedSyncType, Unit::none,
           "not recorded"),
    enumerated("syncType", &SynchronizationRow::syncType, "ENUM_CUPTI_SYNC_TYPE",
               "kind of wait or query"),
    column("eventId", &SynchronizationRow::eventId, Unit::cupti_id,
           "event that the call waits for or queries; 4294967295 if there is none"),
    column("eventSyncId", &SynchronizationRow::eventSyncId, Unit::cupti_id,
           "number of the awaited record of the event, as in "
           "CUPTI_ACTIVITY_KIND_CUDA_EVENT.eventSyncId"),
    extra("returnValue", &SynchronizationRow::returnValue, Unit::none,
          "result of the call; 600 if the queried work was not done. If lapscope used callbacks "
          "for this kind (see LAPSCOPE_RECORDS), a failed call has no row"));

struct CudaEventRow {
  std::optional<std::int64_t> timestamp;
  std::int64_t deviceId{};
  std::int64_t contextId{};
  std::optional<std::int64_t> greenContextId;
  std::int64_t streamId{};
  std::optional<std::int64_t> correlationId;
  std::optional<std::int64_t> globalPid;
  std::int64_t eventId{};
  std::optional<std::int64_t> eventSyncId;
};

template <>
inline constexpr auto describe<CudaEventRow> = table<CudaEventRow>(
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT", "One call that records an event, such as cudaEventRecord.",
    column("timestamp", &CudaEventRow::timestamp, Unit::session_ns,
           "instant at which the GPU reached the event. It requires CUDA 13.0 or later. It also "
           "requires `--event-times`, `--all-calls`, or a capture of a part of the run without "
           "`--armed`. NULL otherwise"),
    column("deviceId", &CudaEventRow::deviceId, Unit::cupti_id, "device"),
    column("contextId", &CudaEventRow::contextId, Unit::cupti_id, "CUDA context"),
    column("greenContextId", &CudaEventRow::greenContextId, Unit::id, "not recorded"),
    column("streamId", &CudaEventRow::streamId, Unit::cupti_id,
           "stream in which the event was recorded"),
    column("correlationId", &CudaEventRow::correlationId, Unit::cupti_id, "the call"),
    column("globalPid", &CudaEventRow::globalPid, Unit::id, "process"),
    column("eventId", &CudaEventRow::eventId, Unit::cupti_id,
           "event; a later event may have the same id"),
    column("eventSyncId", &CudaEventRow::eventSyncId, Unit::cupti_id,
           "number of this record of the event; 0 if the record was captured into a graph"));

struct OverheadRow {
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t eventClass{};
  std::optional<std::int64_t> globalTid;
  std::optional<std::int64_t> correlationId;
  std::optional<std::int64_t> nameId;
  std::int64_t overheadType{};
  std::optional<std::int64_t> channelId;
};

template <>
inline constexpr auto describe<OverheadRow> = table<OverheadRow>(
    "CUPTI_ACTIVITY_KIND_OVERHEAD",
    "One interval of host time that CUPTI or the driver added to the program's own work.",
    column("start", &OverheadRow::start, Unit::session_ns, "begin, host time"),
    column("end", &OverheadRow::end, Unit::session_ns, "end, host time"),
    enumerated("eventClass", &OverheadRow::eventClass, "ENUM_NSYS_EVENT_CLASS", "always overhead"),
    column("globalTid", &OverheadRow::globalTid, Unit::id,
           "thread; NULL if the overhead belongs to no thread"),
    column("correlationId", &OverheadRow::correlationId, Unit::cupti_id,
           "the call that caused the overhead; NULL if no call caused it"),
    column("nameId", &OverheadRow::nameId, Unit::string_id, "label of overheadType"),
    enumerated("overheadType", &OverheadRow::overheadType, "ENUM_CUPTI_OVERHEAD_TYPE",
               "kind of overhead; CUPTI uses other codes"),
    extra("channelId", &OverheadRow::channelId, Unit::cupti_id,
          "hardware channel whose command buffer was full; NULL otherwise"));

struct MemoryRow {
  std::int64_t start{};
  std::int64_t globalPid{};
  std::int64_t deviceId{};
  std::int64_t contextId{};
  std::int64_t address{};
  std::int64_t pc{};
  std::int64_t bytes{};
  std::int64_t memKind{};
  std::int64_t memoryOperationType{};
  std::optional<std::string> name;
  std::optional<std::int64_t> correlationId;
  std::optional<std::int64_t> localMemoryPoolAddress;
  std::optional<std::int64_t> localMemoryPoolReleaseThreshold;
  std::optional<std::int64_t> localMemoryPoolSize;
  std::optional<std::int64_t> localMemoryPoolUtilizedSize;
  std::optional<std::int64_t> importedMemoryPoolAddress;
  std::optional<std::int64_t> importedMemoryPoolProcessId;
  std::optional<std::int64_t> streamId;
  std::optional<std::int64_t> isAsync;
};

template <>
inline constexpr auto describe<MemoryRow> = table<MemoryRow>(
    "CUDA_GPU_MEMORY_USAGE_EVENTS",
    "One allocation or release of device, pinned or managed memory.",
    column("start", &MemoryRow::start, Unit::session_ns, "instant, host time"),
    column("globalPid", &MemoryRow::globalPid, Unit::id, "process"),
    column("deviceId", &MemoryRow::deviceId, Unit::cupti_id, "device"),
    column("contextId", &MemoryRow::contextId, Unit::cupti_id, "CUDA context"),
    column("address", &MemoryRow::address, Unit::id, "virtual address"),
    column("pc", &MemoryRow::pc, Unit::id, "program counter of the call"),
    column("bytes", &MemoryRow::bytes, Unit::bytes, "size"),
    enumerated("memKind", &MemoryRow::memKind, "ENUM_CUDA_MEM_KIND",
               "kind of the memory; CUPTI's value - 1"),
    enumerated("memoryOperationType", &MemoryRow::memoryOperationType,
               "ENUM_CUDA_DEV_MEM_EVENT_OPER", "allocation or release; CUPTI's value - 1"),
    column("name", &MemoryRow::name, Unit::none, "name of the variable, for a static allocation"),
    column("correlationId", &MemoryRow::correlationId, Unit::cupti_id, "the call"),
    column("localMemoryPoolAddress", &MemoryRow::localMemoryPoolAddress, Unit::id,
           "pool of the allocation; NULL outside pools"),
    within({}, column("localMemoryPoolReleaseThreshold",
                      &MemoryRow::localMemoryPoolReleaseThreshold, Unit::bytes,
                      "release threshold of the pool; -1 if the pool never releases memory")),
    column("localMemoryPoolSize", &MemoryRow::localMemoryPoolSize, Unit::bytes, "size of the pool"),
    column("localMemoryPoolUtilizedSize", &MemoryRow::localMemoryPoolUtilizedSize, Unit::bytes,
           "used part of the pool"),
    column("importedMemoryPoolAddress", &MemoryRow::importedMemoryPoolAddress, Unit::id,
           "pool that this process imported from another process"),
    column("importedMemoryPoolProcessId", &MemoryRow::importedMemoryPoolProcessId, Unit::id,
           "id of the process that owns the imported pool"),
    extra("streamId", &MemoryRow::streamId, Unit::cupti_id,
          "stream of an asynchronous operation; NULL otherwise"),
    extra("isAsync", &MemoryRow::isAsync, Unit::flags,
          "1 for cudaMallocAsync and cudaFreeAsync; NULL otherwise"));

struct NvtxRow {
  std::int64_t start{};
  std::optional<std::int64_t> end;
  std::int64_t eventType{};
  std::optional<std::int64_t> rangeId;
  std::optional<std::int64_t> category;
  std::optional<std::int64_t> color;
  std::optional<std::string> text;
  std::optional<std::int64_t> globalTid;
  std::optional<std::int64_t> endGlobalTid;
  std::optional<std::int64_t> textId;
  std::optional<std::int64_t> domainId;
  std::optional<std::int64_t> uint64Value;
  std::optional<std::int64_t> int64Value;
  std::optional<double> doubleValue;
  std::optional<std::int64_t> uint32Value;
  std::optional<std::int64_t> int32Value;
  std::optional<double> floatValue;
  std::optional<std::int64_t> jsonTextId;
  std::optional<std::string> jsonText;
  std::optional<std::int64_t> sequence;
  std::optional<std::int64_t> isBackward;
};

template <>
inline constexpr auto describe<NvtxRow> = table<NvtxRow>(
    "NVTX_EVENTS",
    "One NVTX range, mark or domain. CUPTI does not distinguish push/pop ranges from start/end "
    "ranges. lapscope therefore stores a range as a push/pop range if one thread began and ended "
    "it. It stores all other ranges as start/end ranges.",
    column("start", &NvtxRow::start, Unit::session_ns, "begin, or the instant of a mark"),
    column("end", &NvtxRow::end, Unit::session_ns,
           "end; NULL for a mark, and for a range that was never closed"),
    enumerated("eventType", &NvtxRow::eventType, "ENUM_NSYS_EVENT_TYPE", "mark, range or domain"),
    column("rangeId", &NvtxRow::rangeId, Unit::id, "CUPTI's marker id"),
    column("category", &NvtxRow::category, Unit::id, "not recorded"),
    column("color", &NvtxRow::color, Unit::none, "not recorded"),
    column("text", &NvtxRow::text, Unit::none, "name of a domain; NULL otherwise"),
    column("globalTid", &NvtxRow::globalTid, Unit::id, "thread"),
    column("endGlobalTid", &NvtxRow::endGlobalTid, Unit::id,
           "thread that ended the range, if another thread began it; NULL otherwise"),
    column("textId", &NvtxRow::textId, Unit::string_id, "name of a range or mark"),
    column("domainId", &NvtxRow::domainId, Unit::id, "domain; 0 is the default domain"),
    column("uint64Value", &NvtxRow::uint64Value, Unit::none, "not recorded"),
    column("int64Value", &NvtxRow::int64Value, Unit::none, "not recorded"),
    column("doubleValue", &NvtxRow::doubleValue, Unit::none, "not recorded"),
    column("uint32Value", &NvtxRow::uint32Value, Unit::none, "not recorded"),
    column("int32Value", &NvtxRow::int32Value, Unit::none, "not recorded"),
    column("floatValue", &NvtxRow::floatValue, Unit::none, "not recorded"),
    column("jsonTextId", &NvtxRow::jsonTextId, Unit::string_id,
           "extended payload as a JSON object; its keys are the names in the payload's schema. "
           "NULL if there is no payload"),
    column("jsonText", &NvtxRow::jsonText, Unit::none,
           "extended payload as text; only in exports of Nsight Systems"),
    extra("sequence", &NvtxRow::sequence, Unit::none,
          "number that a forward operator and its derivative have in common; only for operators "
          "that PyTorch's profiler recorded"),
    extra("isBackward", &NvtxRow::isBackward, Unit::none,
          "1 for the derivative of an operator; only for operators that PyTorch's profiler "
          "recorded"));

struct CompilationRow {
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t deviceId{};
  std::optional<std::int64_t> globalTid;
  std::optional<std::int64_t> correlationId;
  std::int64_t entryType{};
  std::int64_t operationType{};
  std::int64_t operationId{};
  std::optional<std::int64_t> cacheSize;
};

template <>
inline constexpr auto describe<CompilationRow> = table<CompilationRow>(
    "LAPSCOPE_COMPILATIONS",
    "One compilation by the driver (PTX to machine code), or one access to the driver's cache. The "
    "path of the cache is not stored.",
    extra("start", &CompilationRow::start, Unit::session_ns, "begin, host time"),
    extra("end", &CompilationRow::end, Unit::session_ns, "end, host time"),
    extra("deviceId", &CompilationRow::deviceId, Unit::cupti_id, "device"),
    extra("globalTid", &CompilationRow::globalTid, Unit::id,
          "thread; NULL before CUDA 12.4, because CUPTI does not report it"),
    extra("correlationId", &CompilationRow::correlationId, Unit::cupti_id,
          "the call that caused the compilation; NULL if no call caused it"),
    extra_enumerated("entryType", &CompilationRow::entryType, "ENUM_LAPSCOPE_JIT_ENTRY",
                     "source and target of the compilation"),
    extra_enumerated("operationType", &CompilationRow::operationType, "ENUM_LAPSCOPE_JIT_OPERATION",
                     "compilation, or read or write of the cache"),
    extra("operationId", &CompilationRow::operationId, Unit::id,
          "number that all rows of one compilation have in common"),
    extra("cacheSize", &CompilationRow::cacheSize, Unit::bytes,
          "size of the data that the driver read from or wrote to the cache; NULL for a "
          "compilation"));

struct CpuTimeRow {
  std::int64_t start{};
  std::int64_t globalTid{};
  std::int64_t onCpuNs{};
};

template <>
inline constexpr auto describe<CpuTimeRow> = table<CpuTimeRow>(
    "LAPSCOPE_CPU_TIMES",
    "One reading of the CPU time of a thread. lapscope takes a reading at the begin or end of a "
    "call, at least 100 us after the thread's previous reading. The difference of two readings is "
    "the time for which the thread ran between them. In the rest of that time, the thread waited, "
    "or other threads had the processor.",
    extra("start", &CpuTimeRow::start, Unit::session_ns, "instant of the reading"),
    extra("globalTid", &CpuTimeRow::globalTid, Unit::id, "thread"),
    extra("onCpuNs", &CpuTimeRow::onCpuNs, Unit::ns,
          "CPU time since the thread began, by CLOCK_THREAD_CPUTIME_ID"));

}  // namespace lapscope::schema

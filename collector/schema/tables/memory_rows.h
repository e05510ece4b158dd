#pragma once

#include "collector/schema/table.h"

// Tables of memory pools and of page faults on managed memory. Page faults are recorded only if the
// user asked for them.
namespace lapscope::schema {

struct MemoryPoolRow {
  std::int64_t start{};
  std::int64_t globalPid{};
  std::int64_t deviceId{};
  std::int64_t address{};
  std::int64_t operationType{};
  std::int64_t poolType{};
  std::optional<std::int64_t> correlationId;
  std::optional<std::int64_t> minBytesToKeep;
  std::optional<std::int64_t> localMemoryPoolReleaseThreshold;
  std::optional<std::int64_t> localMemoryPoolSize;
  std::optional<std::int64_t> localMemoryPoolUtilizedSize;
};

template <>
inline constexpr auto describe<MemoryPoolRow> = table<MemoryPoolRow>(
    "CUDA_GPU_MEMORY_POOL_EVENTS", "One creation, trimming or destruction of a memory pool.",
    column("start", &MemoryPoolRow::start, Unit::session_ns, "instant, host time"),
    column("globalPid", &MemoryPoolRow::globalPid, Unit::id, "process"),
    column("deviceId", &MemoryPoolRow::deviceId, Unit::cupti_id, "device"),
    column("address", &MemoryPoolRow::address, Unit::id, "the pool"),
    enumerated("operationType", &MemoryPoolRow::operationType, "ENUM_CUDA_MEMPOOL_OPER",
               "creation, trimming or destruction"),
    enumerated("poolType", &MemoryPoolRow::poolType, "ENUM_CUDA_MEMPOOL_TYPE",
               "pool of this process (local), or pool of another process (imported)"),
    column("correlationId", &MemoryPoolRow::correlationId, Unit::cupti_id, "the call"),
    column("minBytesToKeep", &MemoryPoolRow::minBytesToKeep, Unit::bytes,
           "size that the pool keeps when it is trimmed; NULL for other operations"),
    column("localMemoryPoolReleaseThreshold", &MemoryPoolRow::localMemoryPoolReleaseThreshold,
           Unit::bytes, "release threshold; NULL for an imported pool"),
    column("localMemoryPoolSize", &MemoryPoolRow::localMemoryPoolSize, Unit::bytes,
           "size of the pool; NULL for an imported pool"),
    column("localMemoryPoolUtilizedSize", &MemoryPoolRow::localMemoryPoolUtilizedSize, Unit::bytes,
           "used part of the pool; NULL for an imported pool"));

struct CpuPageFaultRow {
  std::int64_t start{};
  std::int64_t globalPid{};
  std::int64_t address{};
  std::int64_t cpuInstruction{};
  std::int64_t module{};
};

template <>
inline constexpr auto describe<CpuPageFaultRow> = table<CpuPageFaultRow>(
    "CUDA_UM_CPU_PAGE_FAULT_EVENTS",
    "One page fault of the host on managed memory. Only `record --unified-memory` records page "
    "faults.",
    column("start", &CpuPageFaultRow::start, Unit::session_ns, "instant, host time"),
    column("globalPid", &CpuPageFaultRow::globalPid, Unit::id, "process"),
    column("address", &CpuPageFaultRow::address, Unit::id, "address of the page"),
    column("CpuInstruction", &CpuPageFaultRow::cpuInstruction, Unit::id,
           "address of the instruction that touched the page"),
    column("module", &CpuPageFaultRow::module, Unit::string_id,
           "function of that instruction; if its name is not known, library and offset"));

struct GpuPageFaultRow {
  std::int64_t start{};
  std::int64_t end{};
  std::int64_t globalPid{};
  std::int64_t deviceId{};
  std::int64_t address{};
  std::int64_t numberOfPageFaults{};
  std::int64_t faultAccessType{};
};

template <>
inline constexpr auto describe<GpuPageFaultRow> = table<GpuPageFaultRow>(
    "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
    "Page faults of a device on one page of managed memory. Only `record --unified-memory` records "
    "page faults.",
    column("start", &GpuPageFaultRow::start, Unit::session_ns,
           "when the driver began to handle the faults"),
    column("end", &GpuPageFaultRow::end, Unit::session_ns, "when the device could continue"),
    column("globalPid", &GpuPageFaultRow::globalPid, Unit::id, "process"),
    column("deviceId", &GpuPageFaultRow::deviceId, Unit::cupti_id, "device"),
    column("address", &GpuPageFaultRow::address, Unit::id, "address of the page"),
    column("numberOfPageFaults", &GpuPageFaultRow::numberOfPageFaults, Unit::count,
           "number of groups of page faults on that page"),
    enumerated("faultAccessType", &GpuPageFaultRow::faultAccessType,
               "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", "kind of access"));

}  // namespace lapscope::schema

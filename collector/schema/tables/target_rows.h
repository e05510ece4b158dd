#pragma once

#include "collector/schema/table.h"

// Tables of the environment in which the program ran: names, processes, threads, GPUs, contexts and
// streams.
namespace lapscope::schema {

struct StringRow {
  std::int64_t id{};
  std::string value;
};

template <>
inline constexpr auto describe<StringRow> = table<StringRow>(
    "StringIds", "Every name in the trace, stored once.",
    column("id", &StringRow::id, Unit::id,
           "id of the name; columns with the unit StringIds.id refer to it"),
    column("value", &StringRow::value, Unit::none, "the name, UTF-8 as the program gave it"));

struct ThreadNameRow {
  std::int64_t nameId{};
  std::optional<std::int64_t> priority;
  std::optional<std::int64_t> globalTid;
};

template <>
inline constexpr auto describe<ThreadNameRow> =
    table<ThreadNameRow>("ThreadNames", "The threads that have a call of CUDA in the trace.",
                         column("nameId", &ThreadNameRow::nameId, Unit::string_id,
                                "name of the thread in Linux; `thread` and its id if it ended "
                                "before lapscope read the name"),
                         column("priority", &ThreadNameRow::priority, Unit::none, "not recorded"),
                         column("globalTid", &ThreadNameRow::globalTid, Unit::id, "thread"));

struct ProcessRow {
  std::optional<std::int64_t> globalPid;
  std::optional<std::int64_t> pid;
  std::optional<std::string> name;
};

template <>
inline constexpr auto describe<ProcessRow> = table<ProcessRow>(
    "PROCESSES", "The recorded process.",
    column("globalPid", &ProcessRow::globalPid, Unit::id, "1 << 48 | pid << 24"),
    column("pid", &ProcessRow::pid, Unit::id, "process id in the PID namespace of the process"),
    column("name", &ProcessRow::name, Unit::none, "executable"));

struct GpuRow {
  std::int64_t vmId{};
  std::int64_t id{};
  std::optional<std::string> name;
  std::optional<std::string> busLocation;
  std::optional<std::int64_t> isDiscrete;
  std::optional<std::int64_t> l2CacheSize;
  std::optional<std::int64_t> totalMemory;
  std::optional<std::int64_t> memoryBandwidth;
  std::optional<std::int64_t> clockRate;
  std::optional<std::int64_t> smCount;
  std::optional<std::int64_t> pwGpuId;
  std::optional<std::string> uuid;
  std::optional<std::int64_t> luid;
  std::optional<std::string> chipName;
  std::optional<std::int64_t> cuDevice;
  std::optional<std::string> ctxswDevPath;
  std::optional<std::string> ctrlDevPath;
  std::optional<std::int64_t> revision;
  std::optional<std::int64_t> nodeMask;
  std::optional<std::int64_t> constantMemory;
  std::optional<std::int64_t> maxIPC;
  std::optional<std::int64_t> maxRegistersPerBlock;
  std::optional<std::int64_t> maxShmemPerBlock;
  std::optional<std::int64_t> maxShmemPerBlockOptin;
  std::optional<std::int64_t> maxShmemPerSm;
  std::optional<std::int64_t> maxRegistersPerSm;
  std::optional<std::int64_t> threadsPerWarp;
  std::optional<std::int64_t> asyncEngines;
  std::optional<std::int64_t> maxWarpsPerSm;
  std::optional<std::int64_t> maxBlocksPerSm;
  std::optional<std::int64_t> maxThreadsPerBlock;
  std::optional<std::int64_t> maxBlockDimX;
  std::optional<std::int64_t> maxBlockDimY;
  std::optional<std::int64_t> maxBlockDimZ;
  std::optional<std::int64_t> maxGridDimX;
  std::optional<std::int64_t> maxGridDimY;
  std::optional<std::int64_t> maxGridDimZ;
  std::optional<std::int64_t> computeMajor;
  std::optional<std::int64_t> computeMinor;
  std::optional<std::int64_t> smMajor;
  std::optional<std::int64_t> smMinor;
};

template <>
inline constexpr auto describe<GpuRow> = table<GpuRow>(
    "TARGET_INFO_GPU", "The GPUs that the process could see.",
    column("vmId", &GpuRow::vmId, Unit::id, "always 1"),
    column("id", &GpuRow::id, Unit::id, "device id, as in deviceId columns"),
    column("name", &GpuRow::name, Unit::none, "product name"),
    column("busLocation", &GpuRow::busLocation, Unit::none, "not recorded"),
    column("isDiscrete", &GpuRow::isDiscrete, Unit::flags, "not recorded"),
    column("l2CacheSize", &GpuRow::l2CacheSize, Unit::bytes, "size"),
    column("totalMemory", &GpuRow::totalMemory, Unit::bytes, "size"),
    column("memoryBandwidth", &GpuRow::memoryBandwidth, Unit::bytes_per_s,
           "nominal bandwidth; CUPTI's value in kbytes/s times 1000"),
    column("clockRate", &GpuRow::clockRate, Unit::hz,
           "nominal SM clock; CUPTI's value in kHz times 1000"),
    column("smCount", &GpuRow::smCount, Unit::count, "multiprocessors"),
    column("pwGpuId", &GpuRow::pwGpuId, Unit::id, "not recorded"),
    column("uuid", &GpuRow::uuid, Unit::none, "as nvidia-smi -L prints it"),
    column("luid", &GpuRow::luid, Unit::id, "not recorded"),
    column("chipName", &GpuRow::chipName, Unit::none, "not recorded"),
    column("cuDevice", &GpuRow::cuDevice, Unit::id, "CUDA device ordinal"),
    column("ctxswDevPath", &GpuRow::ctxswDevPath, Unit::none, "not recorded"),
    column("ctrlDevPath", &GpuRow::ctrlDevPath, Unit::none, "not recorded"),
    column("revision", &GpuRow::revision, Unit::none, "not recorded"),
    column("nodeMask", &GpuRow::nodeMask, Unit::none, "not recorded"),
    column("constantMemory", &GpuRow::constantMemory, Unit::bytes, "size"),
    column("maxIPC", &GpuRow::maxIPC, Unit::count, "instructions per cycle of one multiprocessor"),
    column("maxRegistersPerBlock", &GpuRow::maxRegistersPerBlock, Unit::count, "registers"),
    column("maxShmemPerBlock", &GpuRow::maxShmemPerBlock, Unit::bytes,
           "shared memory per block, if the kernel does not opt in to more"),
    column("maxShmemPerBlockOptin", &GpuRow::maxShmemPerBlockOptin, Unit::bytes, "not recorded"),
    column("maxShmemPerSm", &GpuRow::maxShmemPerSm, Unit::bytes, "shared memory"),
    column("maxRegistersPerSm", &GpuRow::maxRegistersPerSm, Unit::count, "registers"),
    column("threadsPerWarp", &GpuRow::threadsPerWarp, Unit::count, "threads"),
    column("asyncEngines", &GpuRow::asyncEngines, Unit::count, "copy engines"),
    column("maxWarpsPerSm", &GpuRow::maxWarpsPerSm, Unit::count, "warps"),
    column("maxBlocksPerSm", &GpuRow::maxBlocksPerSm, Unit::count, "blocks"),
    column("maxThreadsPerBlock", &GpuRow::maxThreadsPerBlock, Unit::count, "threads"),
    column("maxBlockDimX", &GpuRow::maxBlockDimX, Unit::count, "threads"),
    column("maxBlockDimY", &GpuRow::maxBlockDimY, Unit::count, "threads"),
    column("maxBlockDimZ", &GpuRow::maxBlockDimZ, Unit::count, "threads"),
    column("maxGridDimX", &GpuRow::maxGridDimX, Unit::count, "blocks"),
    column("maxGridDimY", &GpuRow::maxGridDimY, Unit::count, "blocks"),
    column("maxGridDimZ", &GpuRow::maxGridDimZ, Unit::count, "blocks"),
    column("computeMajor", &GpuRow::computeMajor, Unit::none,
           "major number of the compute capability"),
    column("computeMinor", &GpuRow::computeMinor, Unit::none,
           "minor number of the compute capability"),
    column("smMajor", &GpuRow::smMajor, Unit::none, "equal to computeMajor"),
    column("smMinor", &GpuRow::smMinor, Unit::none, "equal to computeMinor"));

struct CudaDeviceRow {
  std::optional<std::int64_t> gpuId;
  std::int64_t cudaId{};
  std::int64_t pid{};
  std::optional<std::string> uuid;
  std::optional<std::int64_t> numMultiprocessors;
};

template <>
inline constexpr auto describe<CudaDeviceRow> = table<CudaDeviceRow>(
    "TARGET_INFO_CUDA_DEVICE",
    "The CUDA devices of the process: which GPU has which device ordinal.",
    column("gpuId", &CudaDeviceRow::gpuId, Unit::id, "TARGET_INFO_GPU.id"),
    column("cudaId", &CudaDeviceRow::cudaId, Unit::id, "CUDA device ordinal"),
    column("pid", &CudaDeviceRow::pid, Unit::id, "process"),
    column("uuid", &CudaDeviceRow::uuid, Unit::none, "uuid of the GPU, as in TARGET_INFO_GPU"),
    column("numMultiprocessors", &CudaDeviceRow::numMultiprocessors, Unit::count,
           "multiprocessors"));

struct ContextRow {
  std::int64_t nullStreamId{};
  std::int64_t hwId{};
  std::int64_t vmId{};
  std::int64_t processId{};
  std::int64_t deviceId{};
  std::int64_t contextId{};
  std::optional<std::int64_t> parentContextId;
  std::optional<std::int64_t> isGreenContext;
  std::optional<std::int64_t> numMultiprocessors;
};

template <>
inline constexpr auto describe<ContextRow> =
    table<ContextRow>("TARGET_INFO_CUDA_CONTEXT_INFO", "The CUDA contexts.",
                      column("nullStreamId", &ContextRow::nullStreamId, Unit::cupti_id,
                             "stream id of the context's legacy default stream"),
                      column("hwId", &ContextRow::hwId, Unit::id, "always 0"),
                      column("vmId", &ContextRow::vmId, Unit::id, "always 1"),
                      column("processId", &ContextRow::processId, Unit::id, "process"),
                      column("deviceId", &ContextRow::deviceId, Unit::cupti_id, "device"),
                      column("contextId", &ContextRow::contextId, Unit::cupti_id, "CUDA context"),
                      column("parentContextId", &ContextRow::parentContextId, Unit::id,
                             "parent of a green context; NULL otherwise"),
                      column("isGreenContext", &ContextRow::isGreenContext, Unit::flags,
                             "1 for a green context; NULL otherwise"),
                      column("numMultiprocessors", &ContextRow::numMultiprocessors, Unit::count,
                             "multiprocessors of a green context; NULL otherwise"));

struct StreamRow {
  std::int64_t streamId{};
  std::int64_t hwId{};
  std::int64_t vmId{};
  std::int64_t processId{};
  std::int64_t contextId{};
  std::int64_t priority{};
  std::int64_t flag{};
};

template <>
inline constexpr auto describe<StreamRow> = table<StreamRow>(
    "TARGET_INFO_CUDA_STREAM",
    "The streams, including those that the driver made for itself. A per-thread default stream is "
    "listed as a blocking stream. It has a row only if the program used it.",
    column("streamId", &StreamRow::streamId, Unit::cupti_id, "stream"),
    column("hwId", &StreamRow::hwId, Unit::id, "always 0"),
    column("vmId", &StreamRow::vmId, Unit::id, "always 1"),
    column("processId", &StreamRow::processId, Unit::id, "process"),
    column("contextId", &StreamRow::contextId, Unit::cupti_id, "CUDA context"),
    column("priority", &StreamRow::priority, Unit::none,
           "priority as an unsigned 32-bit number: -5 is stored as 4294967291. A lower number "
           "before this conversion means a higher priority"),
    enumerated("flag", &StreamRow::flag, "ENUM_CUPTI_STREAM_TYPE",
               "blocking, non-blocking or legacy default"));

struct SessionStartRow {
  std::optional<std::int64_t> utcEpochNs;
  std::optional<std::string> utcTime;
  std::optional<std::string> localTime;
  std::optional<std::int64_t> systemClockNs;
};

template <>
inline constexpr auto describe<SessionStartRow> = table<SessionStartRow>(
    "TARGET_INFO_SESSION_START_TIME",
    "The session start. Session times are counted from this instant.",
    column("utcEpochNs", &SessionStartRow::utcEpochNs, Unit::utc_ns, "the instant"),
    column("utcTime", &SessionStartRow::utcTime, Unit::none, "the instant as text for people"),
    column("localTime", &SessionStartRow::localTime, Unit::none, "not recorded"),
    column("systemClockNs", &SessionStartRow::systemClockNs, Unit::ns,
           "CLOCK_MONOTONIC at that instant"));

struct MetaDataRow {
  std::string name;
  std::optional<std::string> value;
};

template <>
inline constexpr auto describe<MetaDataRow> = table<MetaDataRow>(
    "META_DATA_EXPORT",
    "The version of the layout, for programs that read exports of Nsight Systems.",
    column("name", &MetaDataRow::name, Unit::none, "key"),
    column("value", &MetaDataRow::value, Unit::none, "value"));

}  // namespace lapscope::schema

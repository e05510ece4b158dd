#pragma once

#include "collector/schema/table.h"

// Tables of the environment in which the program ran: names, processes, threads, GPUs, contexts and
// streams.
namespace lapscope::schema {

struct StringRow {
  TABLE(StringRow, "StringIds", "Every name in the trace, stored once.");
  COLUMN(Int, id, id, "id of the name; columns with the unit StringIds.id refer to it");
  COLUMN(Text, value, none, "the name, UTF-8 as the program gave it");
};

struct ThreadNameRow {
  TABLE(ThreadNameRow, "ThreadNames", "The threads that have a call of CUDA in the trace.");
  COLUMN(
      Int, nameId, string_id,
      "name of the thread in Linux; `thread` and its id if it ended before lapscope read the name");
  COLUMN(MaybeInt, priority, none, "not recorded");
  COLUMN(MaybeInt, globalTid, id, "thread");
};

struct ProcessRow {
  TABLE(ProcessRow, "PROCESSES", "The recorded process.");
  COLUMN(MaybeInt, globalPid, id, "1 << 48 | pid << 24");
  COLUMN(MaybeInt, pid, id, "process id in the PID namespace of the process");
  COLUMN(MaybeText, name, none, "executable");
};

struct GpuRow {
  TABLE(GpuRow, "TARGET_INFO_GPU", "The GPUs that the process could see.");
  COLUMN(Int, vmId, id, "always 1");
  COLUMN(Int, id, id, "device id, as in deviceId columns");
  COLUMN(MaybeText, name, none, "product name");
  COLUMN(MaybeText, busLocation, none, "not recorded");
  COLUMN(MaybeInt, isDiscrete, flags, "not recorded");
  COLUMN(MaybeInt, l2CacheSize, bytes, "size");
  COLUMN(MaybeInt, totalMemory, bytes, "size");
  COLUMN(MaybeInt, memoryBandwidth, bytes_per_s,
         "nominal bandwidth; CUPTI's value in kbytes/s times 1000");
  COLUMN(MaybeInt, clockRate, hz, "nominal SM clock; CUPTI's value in kHz times 1000");
  COLUMN(MaybeInt, smCount, count, "multiprocessors");
  COLUMN(MaybeInt, pwGpuId, id, "not recorded");
  COLUMN(MaybeText, uuid, none, "as nvidia-smi -L prints it");
  COLUMN(MaybeInt, luid, id, "not recorded");
  COLUMN(MaybeText, chipName, none, "not recorded");
  COLUMN(MaybeInt, cuDevice, id, "CUDA device ordinal");
  COLUMN(MaybeText, ctxswDevPath, none, "not recorded");
  COLUMN(MaybeText, ctrlDevPath, none, "not recorded");
  COLUMN(MaybeInt, revision, none, "not recorded");
  COLUMN(MaybeInt, nodeMask, none, "not recorded");
  COLUMN(MaybeInt, constantMemory, bytes, "size");
  COLUMN(MaybeInt, maxIPC, count, "instructions per cycle of one multiprocessor");
  COLUMN(MaybeInt, maxRegistersPerBlock, count, "registers");
  COLUMN(MaybeInt, maxShmemPerBlock, bytes,
         "shared memory per block, if the kernel does not opt in to more");
  COLUMN(MaybeInt, maxShmemPerBlockOptin, bytes, "not recorded");
  COLUMN(MaybeInt, maxShmemPerSm, bytes, "shared memory");
  COLUMN(MaybeInt, maxRegistersPerSm, count, "registers");
  COLUMN(MaybeInt, threadsPerWarp, count, "threads");
  COLUMN(MaybeInt, asyncEngines, count, "copy engines");
  COLUMN(MaybeInt, maxWarpsPerSm, count, "warps");
  COLUMN(MaybeInt, maxBlocksPerSm, count, "blocks");
  COLUMN(MaybeInt, maxThreadsPerBlock, count, "threads");
  COLUMN(MaybeInt, maxBlockDimX, count, "threads");
  COLUMN(MaybeInt, maxBlockDimY, count, "threads");
  COLUMN(MaybeInt, maxBlockDimZ, count, "threads");
  COLUMN(MaybeInt, maxGridDimX, count, "blocks");
  COLUMN(MaybeInt, maxGridDimY, count, "blocks");
  COLUMN(MaybeInt, maxGridDimZ, count, "blocks");
  COLUMN(MaybeInt, computeMajor, none, "major number of the compute capability");
  COLUMN(MaybeInt, computeMinor, none, "minor number of the compute capability");
  COLUMN(MaybeInt, smMajor, none, "equal to computeMajor");
  COLUMN(MaybeInt, smMinor, none, "equal to computeMinor");
};

struct CudaDeviceRow {
  TABLE(CudaDeviceRow, "TARGET_INFO_CUDA_DEVICE",
        "The CUDA devices of the process: which GPU has which device ordinal.");
  COLUMN(MaybeInt, gpuId, id, "TARGET_INFO_GPU.id");
  COLUMN(Int, cudaId, id, "CUDA device ordinal");
  COLUMN(Int, pid, id, "process");
  COLUMN(MaybeText, uuid, none, "uuid of the GPU, as in TARGET_INFO_GPU");
  COLUMN(MaybeInt, numMultiprocessors, count, "multiprocessors");
};

struct ContextRow {
  TABLE(ContextRow, "TARGET_INFO_CUDA_CONTEXT_INFO", "The CUDA contexts.");
  COLUMN(Int, nullStreamId, cupti_id, "stream id of the context's legacy default stream");
  COLUMN(Int, hwId, id, "always 0");
  COLUMN(Int, vmId, id, "always 1");
  COLUMN(Int, processId, id, "process");
  COLUMN(Int, deviceId, cupti_id, "device");
  COLUMN(Int, contextId, cupti_id, "CUDA context");
  COLUMN(MaybeInt, parentContextId, id, "parent of a green context; NULL otherwise");
  COLUMN(MaybeInt, isGreenContext, flags, "1 for a green context; NULL otherwise");
  COLUMN(MaybeInt, numMultiprocessors, count, "multiprocessors of a green context; NULL otherwise");
};

struct StreamRow {
  TABLE(StreamRow, "TARGET_INFO_CUDA_STREAM",
        "The streams, including those that the driver made for itself. A per-thread default stream "
        "is listed as a blocking stream. It has a row only if the program used it.");
  COLUMN(Int, streamId, cupti_id, "stream");
  COLUMN(Int, hwId, id, "always 0");
  COLUMN(Int, vmId, id, "always 1");
  COLUMN(Int, processId, id, "process");
  COLUMN(Int, contextId, cupti_id, "CUDA context");
  COLUMN(Int, priority, none,
         "priority as an unsigned 32-bit number: -5 is stored as 4294967291. A lower number before "
         "this conversion means a higher priority");
  CODE(Int, flag, "ENUM_CUPTI_STREAM_TYPE", "blocking, non-blocking or legacy default");
};

struct SessionStartRow {
  TABLE(SessionStartRow, "TARGET_INFO_SESSION_START_TIME",
        "The session start. Session times are counted from this instant.");
  COLUMN(MaybeInt, utcEpochNs, utc_ns, "the instant");
  COLUMN(MaybeText, utcTime, none, "the instant as text for people");
  COLUMN(MaybeText, localTime, none, "not recorded");
  COLUMN(MaybeInt, systemClockNs, ns, "CLOCK_MONOTONIC at that instant");
};

struct MetaDataRow {
  TABLE(MetaDataRow, "META_DATA_EXPORT",
        "The version of the layout, for programs that read exports of Nsight Systems.");
  COLUMN(Text, name, none, "key");
  COLUMN(MaybeText, value, none, "value");
};

}  // namespace lapscope::schema

#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {

namespace {

// Converts kbytes/s to bytes/s. Returns nothing if the rate is higher than the rate of any memory.
std::optional<std::int64_t> bytes_per_s(std::uint64_t kbytes_per_s) {
  constexpr std::uint64_t more_than_any = 1'000'000'000'000;
  if (kbytes_per_s >= more_than_any) return std::nullopt;
  return static_cast<std::int64_t>(kbytes_per_s) * 1000;
}

}  // namespace

void decode_device(const View<records::Device>& device, DecodeContext& context) {
  schema::GpuRow row;
  row.vmId = 1;
  row.id = device->id;
  if (device->name) row.name = device->name;
  row.l2CacheSize = device->l2CacheSize;
  row.totalMemory = static_cast<std::int64_t>(device->globalMemorySize);
  row.memoryBandwidth = bytes_per_s(device->globalMemoryBandwidth);
  row.clockRate = std::int64_t{device->coreClockRate} * 1000;
  row.smCount = device->numMultiprocessors;
  row.uuid = uuid_text(device->uuid);
  row.cuDevice = device->id;
  row.constantMemory = device->constantMemorySize;
  row.maxIPC = device->maxIPC;
  row.maxRegistersPerBlock = device->maxRegistersPerBlock;
  row.maxShmemPerBlock = device->maxSharedMemoryPerBlock;
  row.maxShmemPerSm = device->maxSharedMemoryPerMultiprocessor;
  row.maxRegistersPerSm = device->maxRegistersPerMultiprocessor;
  row.threadsPerWarp = device->numThreadsPerWarp;
  row.asyncEngines = device->numMemcpyEngines;
  row.maxWarpsPerSm = device->maxWarpsPerMultiprocessor;
  row.maxBlocksPerSm = device->maxBlocksPerMultiprocessor;
  row.maxThreadsPerBlock = device->maxThreadsPerBlock;
  row.maxBlockDimX = device->maxBlockDimX;
  row.maxBlockDimY = device->maxBlockDimY;
  row.maxBlockDimZ = device->maxBlockDimZ;
  row.maxGridDimX = device->maxGridDimX;
  row.maxGridDimY = device->maxGridDimY;
  row.maxGridDimZ = device->maxGridDimZ;
  row.computeMajor = row.smMajor = device->computeCapabilityMajor;
  row.computeMinor = row.smMinor = device->computeCapabilityMinor;
  context.trace.insert(row);

  schema::CudaDeviceRow cuda;
  cuda.gpuId = device->id;
  cuda.cudaId = device->id;
  cuda.pid = context.pid;
  cuda.uuid = row.uuid;
  cuda.numMultiprocessors = device->numMultiprocessors;
  context.trace.insert(cuda);
}

void decode_context(const View<records::Context>& cuda_context, DecodeContext& context) {
  context.device_of_context[cuda_context->contextId] = cuda_context->deviceId;
  schema::ContextRow row;
  row.nullStreamId = cuda_context->nullStreamId;
  row.vmId = 1;
  row.processId = context.pid;
  row.deviceId = cuda_context->deviceId;
  row.contextId = cuda_context->contextId;
  if (cuda_context->isGreenContext) {
    row.parentContextId = cuda_context->parentContextId;
    row.isGreenContext = 1;
    row.numMultiprocessors = cuda_context->numMultiprocessors;
  }
  context.trace.insert(row);
}

void decode_stream(const View<records::Stream>& stream, DecodeContext& context) {
  context.context_of_stream[stream->streamId] = stream->contextId;
  schema::StreamRow row;
  row.streamId = stream->streamId;
  row.vmId = 1;
  row.processId = context.pid;
  row.contextId = stream->contextId;
  row.priority = stream->priority;
  row.flag = stream->flag;
  context.trace.insert(row);
}

}  // namespace lapscope::decode

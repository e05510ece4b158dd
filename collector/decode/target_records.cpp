#include "collector/decode/target_records.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {
namespace {

using cupti::records::NvLink;
using cupti::records::NvLinkEnds;
using cupti::records::NvLinkWithPointers;

// Converts kbytes/s to bytes/s. Returns nothing if the rate is higher than the rate of any memory.
std::optional<std::int64_t> bytes_per_s(std::uint64_t kbytes_per_s) {
  constexpr std::uint64_t more_than_any = 1'000'000'000'000;
  if (kbytes_per_s >= more_than_any) return std::nullopt;
  return static_cast<std::int64_t>(kbytes_per_s) * 1000;
}

schema::LinkRow link(const NvLinkEnds& ends, std::uint64_t kbytes_per_second) {
  schema::LinkRow row;
  row.kind = "nvlink";
  const bool gpu0 = ends.typeDev0 == CUPTI_DEV_TYPE_GPU;
  const bool gpu1 = ends.typeDev1 == CUPTI_DEV_TYPE_GPU;
  // In a link between a GPU and a CPU, `uuid` is the uuid of the GPU.
  row.uuid = uuid_text(gpu0 ? ends.idDev0 : ends.idDev1);
  if (gpu0 && gpu1) row.peerUuid = uuid_text(ends.idDev1);
  if (ends.nvlinkVersion > 0) row.generation = ends.nvlinkVersion;
  if (ends.physicalNvLinkCount > 0) row.lanes = ends.physicalNvLinkCount;
  constexpr std::uint64_t more_than_any_link = 1'000'000'000'000;
  if (kbytes_per_second > 0 && kbytes_per_second < more_than_any_link) {
    // CUPTI's rate is the sum of both directions, so it is halved. For the 18 links of an H200,
    // CUPTI reports 850 GB/s. A copy over these links to another GPU runs at 392 GB/s.
    row.bytesPerSecond = static_cast<std::int64_t>(kbytes_per_second) * 1000 / 2;
  }
  return row;
}

}  // namespace

void TargetRecords::take(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti) {
  CUpti_Activity* record = nullptr;
  while (cupti.activity_get_next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (!is_of_target(record->kind) || records_.size() >= most) continue;
    const std::size_t size = cupti::probe_record_size(cupti, record->kind);
    if (size == 0) continue;
    Record& kept = records_.emplace_back();
    kept.size = size;
    kept.bytes.resize((size + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    std::memcpy(kept.bytes.data(), record, size);
  }
}

bool TargetRecords::has_context() const {
  return std::any_of(records_.begin(), records_.end(), [](const Record& record) {
    return record.activity().kind == CUPTI_ACTIVITY_KIND_CONTEXT;
  });
}

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

// Decodes records with the size of NvLink or NvLinkWithPointers. Skips other records, because their
// layout is not known.
void decode_nvlink(const void* record, std::size_t size, DecodeContext& context) {
  NvLinkEnds ends{};
  std::uint64_t bandwidth = 0;
  if (size == sizeof(NvLink)) {
    const View<NvLink> view(record, size);
    ends = view->ends;
    bandwidth = view->bandwidth;
  } else if (size == sizeof(NvLinkWithPointers)) {
    const View<NvLinkWithPointers> view(record, size);
    ends = view->ends;
    bandwidth = view->bandwidth;
  }
  if (ends.typeDev0 != CUPTI_DEV_TYPE_GPU && ends.typeDev1 != CUPTI_DEV_TYPE_GPU) return;
  context.trace.insert(link(ends, bandwidth));
}

void release_nvlink(const void* record, std::size_t size) {
  if (size != sizeof(NvLinkWithPointers)) return;
  const View<NvLinkWithPointers> view(record, size);
  std::free(view->portDev0);
  std::free(view->portDev1);
}

}  // namespace lapscope::decode

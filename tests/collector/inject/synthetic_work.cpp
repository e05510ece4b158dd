#include "tests/collector/inject/synthetic_work.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "tests/collector/support/header_records.h"

namespace lapscope::test {
namespace {

constexpr std::uint32_t null_stream = 7;
constexpr std::uint32_t kernel_stream = 13;
constexpr std::uint32_t copy_stream = 14;
constexpr std::uint64_t event_sync_of_records = 1000;

std::uint64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint32_t thread_id() { return static_cast<std::uint32_t>(::gettid()); }

}  // namespace

void SyntheticWork::enable(CUpti_ActivityKind kind) {
  kinds_.insert(kind);
  if (kind == CUPTI_ACTIVITY_KIND_RUNTIME) switched_calls_.clear();
}

void SyntheticWork::enable_call(CUpti_CallbackId id, bool enabled) {
  if (context_made_) return;  // CUPTI 130001 reports success but does nothing
  switched_calls_[id] = enabled;
}

void SyntheticWork::garble() {
  constexpr std::uint64_t nonsense = 77'777;
  records_.push_back({nonsense, 0});
}

bool SyntheticWork::records_call(CUpti_CallbackId id) const {
  const auto switched = switched_calls_.find(id);
  return switched == switched_calls_.end() ? kinds_.contains(CUPTI_ACTIVITY_KIND_RUNTIME)
                                           : switched->second;
}

void SyntheticWork::launch(int count, bool nvtx) {
  if (!std::exchange(context_made_, true)) emit_context();
  const std::uint32_t range = nvtx ? begin_range("work") : 0;
  emit_call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020);
  for (int i = 0; i < count; ++i) {
    emit_kernel();
    emit_copy();
  }
  if (nvtx) end_range(range);
}

std::uint32_t SyntheticWork::begin_range(const char* name) {
  emit_marker(CUPTI_ACTIVITY_FLAG_MARKER_START, name, ++marker_);
  return marker_;
}

void SyntheticWork::end_range(std::uint32_t id) {
  emit_marker(CUPTI_ACTIVITY_FLAG_MARKER_END, nullptr, id);
}

void SyntheticWork::call(CUpti_CallbackId id, std::uint32_t correlation) {
  emit_call(id, correlation);
  if (id == CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020) {
    auto event = make_record<CudaEventRecord>(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
    event.correlationId = correlation;
    event.cudaEventSyncId = event_sync_of_records;
    emit(event);
  }
  if (id == CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020) {
    auto wait = make_record<SynchronizationRecord>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
    wait.start = wait.end = now();
    wait.correlationId = correlation;
    wait.cudaEventSyncId = event_sync_of_records;
    emit(wait);
  }
}

template <class T>
void SyntheticWork::emit(const T& record) {
  const auto kind = static_cast<CUpti_ActivityKind>(record.kind);
  if (kind != CUPTI_ACTIVITY_KIND_RUNTIME && !kinds_.contains(kind)) return;
  Record words((std::max(room_(kind), sizeof record) + 7) / 8);
  std::memcpy(words.data(), &record, sizeof record);
  records_.push_back(std::move(words));
}

std::uint32_t SyntheticWork::emit_call(CUpti_CallbackId cbid) {
  const std::uint32_t correlation = begin_call();
  emit_call(cbid, correlation);
  return correlation;
}

void SyntheticWork::emit_call(CUpti_CallbackId cbid, std::uint32_t correlation) {
  if (!records_call(cbid)) return;
  auto call = make_record<ApiRecord>(CUPTI_ACTIVITY_KIND_RUNTIME);
  call.cbid = cbid;
  call.start = now();
  call.end = call.start + 1000;
  call.processId = static_cast<std::uint32_t>(::getpid());
  call.threadId = thread_id();
  call.correlationId = correlation;
  emit(call);
}

void SyntheticWork::emit_context() {
  auto device = make_record<DeviceRecord>(CUPTI_ACTIVITY_KIND_DEVICE);
  device.name = "Synthetic GPU";
  device.numMultiprocessors = 132;
  emit(device);
  auto context = make_record<ContextRecord>(CUPTI_ACTIVITY_KIND_CONTEXT);
  context.contextId = 1;
  context.nullStreamId = null_stream;
  emit(context);
  for (const std::uint32_t id : {null_stream, kernel_stream, copy_stream}) {
    auto stream = make_record<StreamRecord>(CUPTI_ACTIVITY_KIND_STREAM);
    stream.contextId = 1;
    stream.streamId = id;
    stream.flag = id == null_stream ? CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL
                                    : CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
    emit(stream);
  }
}

void SyntheticWork::emit_kernel() {
  auto kernel = make_record<KernelRecord>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  kernel.correlationId = emit_call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
  kernel.contextId = 1;
  kernel.streamId = kernel_stream;
  kernel.start = now();
  kernel.end = kernel.start + 5000;
  kernel.name = "_Z6kernelPi";
  emit(kernel);
}

void SyntheticWork::emit_copy() {
  auto copy = make_record<MemcpyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY);
  copy.correlationId = emit_call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020);
  copy.contextId = 1;
  copy.streamId = copy_stream;
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  copy.bytes = 4096;
  copy.start = now();
  copy.end = copy.start + 5000;
  emit(copy);
}

void SyntheticWork::emit_marker(CUpti_ActivityFlag flag, const char* name, std::uint32_t id) {
  auto marker = make_record<MarkerRecord>(CUPTI_ACTIVITY_KIND_MARKER);
  marker.flags = flag;
  marker.timestamp = now();
  marker.id = id;
  marker.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  marker.objectId.pt.threadId = thread_id();
  marker.name = name;
  emit(marker);
}

}  // namespace lapscope::test

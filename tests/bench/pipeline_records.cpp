#include <algorithm>

#include "collector/schema/global_id.h"
#include "tests/bench/pipeline.h"

// Makes the rows of the pipeline in the form in which collector/decode writes rows.
namespace lapscope::bench {
namespace {

constexpr std::int64_t none = 4294967295;     // CUPTI's value for no stream or event
constexpr std::int64_t compute_channel = 1;   // ENUM_LAPSCOPE_CHANNEL_TYPE
constexpr std::int64_t copy_channel = 2;      // ENUM_LAPSCOPE_CHANNEL_TYPE
constexpr std::int64_t host_to_device = 1;    // ENUM_CUDA_MEMCPY_OPER
constexpr std::int64_t device_to_host = 2;    // ENUM_CUDA_MEMCPY_OPER
constexpr std::int64_t pinned_memory = 1;     // ENUM_CUDA_MEM_KIND
constexpr std::int64_t device_memory = 2;     // ENUM_CUDA_MEM_KIND
constexpr std::int64_t push_pop_range = 59;   // ENUM_NSYS_EVENT_TYPE
constexpr std::int64_t overhead_class = 103;  // ENUM_NSYS_EVENT_CLASS
constexpr std::int64_t buffer_request = 4;    // ENUM_CUPTI_OVERHEAD_TYPE

}  // namespace

Pipeline::Call Pipeline::call(Thread& thread, const Function& function, std::int64_t duration) {
  correlation_ += 2;  // the driver's call inside has the id between
  const Call made{thread.clock, thread.clock + duration, correlation_};
  schema::ApiCallRow row;
  row.start = made.start;
  row.end = made.end;
  row.globalTid = thread.global_tid;
  row.correlationId = made.correlation;
  row.nameId = function.name;
  row.cbid = function.cbid;
  trace_.insert(row);
  thread.clock = made.end + random_.between(150, 500);
  if (++totals_.calls % 1000 == 0) {
    schema::OverheadRow overhead;
    overhead.start = thread.clock;
    thread.clock += random_.between(5'000, 25'000);
    overhead.end = thread.clock;
    overhead.eventClass = overhead_class;
    overhead.globalTid = thread.global_tid;
    overhead.overheadType = buffer_request;
    trace_.insert(overhead);
    ++totals_.overheads;
  }
  return made;
}

void Pipeline::synchronization(const Call& call, const Stream& stream, SyncType type,
                               const Stream* event_of) {
  const bool names_stream = type == SyncType::stream || type == SyncType::stream_wait;
  schema::SynchronizationRow row;
  row.start = call.start + 200;
  row.end = call.end - 100;
  row.deviceId = stream.device;
  row.contextId = context_of(stream.device);
  row.streamId = names_stream ? stream.id : none;
  row.correlationId = call.correlation;
  row.globalPid = schema::global_pid(synthetic_pid);
  row.syncType = static_cast<std::int64_t>(type);
  row.eventId = event_of ? event_of->id : none;
  row.eventSyncId = event_of ? event_of->event : none;
  row.returnValue = 0;
  trace_.insert(row);
  ++totals_.synchronizations;
}

void Pipeline::range(const Thread& thread, std::int64_t name, std::int64_t start) {
  schema::NvtxRow row;
  row.start = start;
  row.end = thread.clock;
  row.eventType = push_pop_range;
  row.rangeId = ++range_id_;
  row.globalTid = thread.global_tid;
  row.textId = name;
  row.domainId = 0;
  trace_.insert(row);
  ++totals_.ranges;
}

template <class Row>
Row Pipeline::place(const Call& call, Stream& stream, std::int64_t& engine_free,
                    std::int64_t duration, std::int64_t channel_type) {
  Row row;
  row.start =
      std::max({call.end + random_.between(900, 3'000), stream.ready + random_.between(600, 1'200),
                engine_free + random_.between(200, 600)});
  row.end = row.start + duration;
  stream.ready = engine_free = row.end;
  row.deviceId = stream.device;
  row.contextId = context_of(stream.device);
  row.streamId = stream.id;
  row.correlationId = call.correlation;
  row.globalPid = schema::global_pid(synthetic_pid);
  row.channelId = channel_type == compute_channel ? 1 : stream.id;
  row.channelType = channel_type;
  ++ops_;
  return row;
}

void Pipeline::copy(Thread& thread, Stream& stream, bool to_device) {
  if (done()) return;
  const Call issue = call(thread, memcpy_async_, random_.between(1'700, 2'800));
  const std::int64_t bytes = random_.between(1, 17) << 18;  // 256 KiB to 4 MiB
  Device& device = devices_[static_cast<std::size_t>(stream.device)];
  // 52 bytes per ns: the rate of a PCIe 5 link.
  auto row = place<schema::MemcpyRow>(issue, stream, to_device ? device.h2d_free : device.d2h_free,
                                      bytes / 52 + random_.between(800, 1'500), copy_channel);
  row.bytes = bytes;
  row.copyKind = to_device ? host_to_device : device_to_host;
  row.srcKind = to_device ? pinned_memory : device_memory;
  row.dstKind = to_device ? device_memory : pinned_memory;
  row.flags = 1;
  trace_.insert(row);
  ++totals_.memcpys;
}

void Pipeline::clear(Thread& thread, Stream& stream) {
  if (done()) return;
  const Call issue = call(thread, memset_async_, random_.between(1'800, 2'600));
  const std::int64_t bytes = random_.between(1, 65) << 14;  // 16 KiB to 1 MiB
  Device& device = devices_[static_cast<std::size_t>(stream.device)];
  std::int64_t& engine = *std::min_element(device.compute_free.begin(), device.compute_free.end());
  auto row =
      place<schema::MemsetRow>(issue, stream, engine, bytes / 1'000 + 1'200, compute_channel);
  row.bytes = bytes;
  row.memKind = device_memory;
  row.flags = 1;
  trace_.insert(row);
  ++totals_.memsets;
}

void Pipeline::launch(Thread& thread, Stream& stream) {
  if (done()) return;
  const Kernel& kernel =
      kernels_[static_cast<std::size_t>(random_.between(0, std::int64_t(kernels_.size())))];
  const Call issue = call(thread, launch_kernel_, random_.between(2'400, 4'500));
  Device& device = devices_[static_cast<std::size_t>(stream.device)];
  std::int64_t& engine = *std::min_element(device.compute_free.begin(), device.compute_free.end());
  auto row = place<schema::KernelRow>(
      issue, stream, engine, kernel.duration * random_.between(90, 111) / 100, compute_channel);
  row.demangledName = kernel.demangled;
  row.shortName = kernel.brief;
  row.mangledName = kernel.mangled;
  row.launchType = 1;
  row.cacheConfig = 0;
  row.registersPerThread = kernel.registers;
  row.gridX = 66 << random_.between(0, 4);  // from half a wave of an H200 to several waves
  row.gridY = row.gridZ = 1;
  row.blockX = kernel.block;
  row.blockY = row.blockZ = 1;
  row.dynamicSharedMemory = kernel.shared_memory;
  row.localMemoryTotal = 155'713'536;
  row.gridId = ++totals_.kernels;
  row.sharedMemoryExecuted = 8'192;
  row.sharedMemoryLimitConfig = 0;
  trace_.insert(row);
}

void Pipeline::record_event(Thread& thread, Stream& stream) {
  const Call made = call(thread, event_record_, random_.between(700, 1'200));
  stream.event = ++totals_.events;
  stream.event_time = std::max(stream.ready, made.end) + random_.between(300, 800);
  schema::CudaEventRow row;
  row.timestamp = stream.event_time;
  row.deviceId = stream.device;
  row.contextId = context_of(stream.device);
  row.streamId = stream.id;
  row.correlationId = made.correlation;
  row.globalPid = schema::global_pid(synthetic_pid);
  row.eventId = stream.id;  // each stream records a single event repeatedly
  row.eventSyncId = stream.event;
  trace_.insert(row);
}

void Pipeline::wait_event(Thread& thread, Stream& waiting, const Stream& recorded) {
  if (recorded.event == 0) return;
  const Call made = call(thread, stream_wait_event_, random_.between(600, 1'000));
  waiting.ready = std::max(waiting.ready, recorded.event_time);
  synchronization(made, waiting, SyncType::stream_wait, &recorded);
}

}  // namespace lapscope::bench

#include "collector/decode/kinds.h"

#include <algorithm>

namespace lapscope::decode {
namespace {

using request::Group;

template <class Record>
Times times_of(const void* data, std::size_t size) {
  const View<Record> record(data, size);
  if constexpr (requires { record->start; }) {
    return {record->start, record->end};
  } else if constexpr (requires { record->timestamp; }) {
    return {record->timestamp, record->timestamp};
  } else if constexpr (requires { record->deviceTimestamp; }) {
    return {record->deviceTimestamp, record->deviceTimestamp};
  } else {
    return {};
  }
}

template <auto decode>
void of_view(const void* record, std::size_t size, DecodeContext& context) {
  decode({record, size}, context);
}

// Two kinds must never be in this table. While CUPTI_ACTIVITY_KIND_KERNEL is enabled, CUPTI
// serializes all kernels. While CUPTI_ACTIVITY_KIND_PCIE is enabled, CUDA loads all modules at once
// instead of lazily.
#define KIND(name, ...) \
  { CUPTI_ACTIVITY_KIND_##name, #name, __VA_ARGS__ }
constexpr Kind kinds[] = {
    KIND(DEVICE, of_view<decode_device>, Group::always, nullptr),
    KIND(NVLINK, decode_nvlink, Group::links, nullptr, release_nvlink),
    KIND(CONTEXT, of_view<decode_context>, Group::always, nullptr),
    KIND(STREAM, of_view<decode_stream>, Group::always, nullptr),
    KIND(CONCURRENT_KERNEL, of_view<decode_kernel>, Group::always, times_of<records::Kernel>),
    KIND(MEMCPY, of_view<decode_memcpy>, Group::always, times_of<records::Memcpy>),
    KIND(MEMCPY2, of_view<decode_memcpy_peer>, Group::always, times_of<records::MemcpyPeer>),
    KIND(MEMSET, of_view<decode_memset>, Group::always, times_of<records::Memset>),
    KIND(RUNTIME, of_view<decode_runtime_call>, Group::always, times_of<records::Api>),
    KIND(DRIVER, of_view<decode_driver_call>, Group::driver_calls, times_of<records::Api>),
    KIND(SYNCHRONIZATION, of_view<decode_synchronization>, Group::synchronization,
         times_of<records::Synchronization>),
    KIND(CUDA_EVENT, of_view<decode_cuda_event>, Group::events, times_of<records::CudaEvent>),
    KIND(MEMORY2, of_view<decode_memory>, Group::memory, times_of<records::Memory>),
    KIND(MEMORY_POOL, of_view<decode_memory_pool>, Group::memory, times_of<records::MemoryPool>),
    KIND(OVERHEAD, of_view<decode_overhead>, Group::overhead, times_of<records::Overhead>,
         release_overhead),
    KIND(JIT, of_view<decode_compilation>, Group::compilation, times_of<records::Jit>),
    KIND(MARKER, of_view<decode_marker>, Group::nvtx, nullptr),
    // CUPTI writes one record for a launched graph, in place of the records of the graph's ops.
    KIND(GRAPH_TRACE, of_view<decode_graph_trace>, Group::graph_level,
         times_of<records::GraphTrace>),
    KIND(UNIFIED_MEMORY_COUNTER, of_view<decode_unified_memory>, Group::unified_memory,
         times_of<records::UnifiedMemoryCounter>),
};
#undef KIND

}  // namespace

std::span<const Kind> recorded_kinds() { return kinds; }

bool is_of_target(CUpti_ActivityKind kind) {
  return kind == CUPTI_ACTIVITY_KIND_DEVICE || kind == CUPTI_ACTIVITY_KIND_NVLINK ||
         kind == CUPTI_ACTIVITY_KIND_CONTEXT || kind == CUPTI_ACTIVITY_KIND_STREAM;
}

bool is_default(const Kind& kind) { return request::Request().wants(kind.group); }

namespace {

template <class Visit>
std::int64_t for_each_record(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti,
                             Visit visit) {
  std::int64_t count = 0;
  CUpti_Activity* record = nullptr;
  while (cupti.activity_get_next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
    visit(*record);
    ++count;
  }
  return count;
}

}  // namespace

std::int64_t count_records(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti) {
  return for_each_record(buffer, valid, cupti, [](const CUpti_Activity&) {});
}

std::int64_t discard(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti,
                     Discarded which) {
  return for_each_record(buffer, valid, cupti, [&](const CUpti_Activity& record) {
    if (which == Discarded::but_targets && is_of_target(record.kind)) return;
    const auto kind = std::ranges::find(recorded_kinds(), record.kind, &Kind::id);
    if (kind == recorded_kinds().end() || !kind->release) return;
    kind->release(&record, cupti::probe_record_size(cupti, record.kind));
  });
}

}  // namespace lapscope::decode

#include <array>
#include <cstdlib>
#include <span>
#include <vector>

#include "collector/cupti/records.h"
#include "collector/decode/decoder.h"
#include "tests/fuzz/input.h"

namespace lapscope::fuzz {
namespace {

namespace records = cupti::records;

struct Layout {
  CUpti_ActivityKind kind;
  std::size_t size;
};

constexpr Layout layouts[] = {
    {CUPTI_ACTIVITY_KIND_DEVICE, sizeof(records::Device)},
    {CUPTI_ACTIVITY_KIND_NVLINK, sizeof(records::NvLink)},
    {CUPTI_ACTIVITY_KIND_CONTEXT, sizeof(records::Context)},
    {CUPTI_ACTIVITY_KIND_STREAM, sizeof(records::Stream)},
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, sizeof(records::Kernel)},
    {CUPTI_ACTIVITY_KIND_MEMCPY, sizeof(records::Memcpy)},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, sizeof(records::MemcpyPeer)},
    {CUPTI_ACTIVITY_KIND_MEMSET, sizeof(records::Memset)},
    {CUPTI_ACTIVITY_KIND_RUNTIME, sizeof(records::Api)},
    {CUPTI_ACTIVITY_KIND_DRIVER, sizeof(records::Api)},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, sizeof(records::Synchronization)},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, sizeof(records::CudaEvent)},
    {CUPTI_ACTIVITY_KIND_MEMORY2, sizeof(records::Memory)},
    {CUPTI_ACTIVITY_KIND_MEMORY_POOL, sizeof(records::MemoryPool)},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, sizeof(records::Overhead)},
    {CUPTI_ACTIVITY_KIND_JIT, sizeof(records::Jit)},
    {CUPTI_ACTIVITY_KIND_MARKER, sizeof(records::Marker)},
    {CUPTI_ACTIVITY_KIND_GRAPH_TRACE, sizeof(records::GraphTrace)},
    {CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, sizeof(records::UnifiedMemoryCounter)},
    {CUPTI_ACTIVITY_KIND_PREEMPTION, 40},  // a kind that is not recorded
};

std::size_t size_of(CUpti_ActivityKind kind) {
  for (const Layout& layout : layouts) {
    if (layout.kind == kind) return layout.size;
  }
  return 0;
}

// Finds the next record in a buffer, as CUPTI does.
CUptiResult next_record(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
  std::uint8_t* next = buffer;
  if (*record) {
    const std::size_t size = size_of((*record)->kind);
    next = reinterpret_cast<std::uint8_t*>(*record) + size;
  }
  const auto left = valid - static_cast<std::size_t>(next - buffer);
  if (left < sizeof(CUpti_Activity)) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  auto* found = reinterpret_cast<CUpti_Activity*>(next);
  const std::size_t size = size_of(found->kind);
  if (size == 0) return CUPTI_ERROR_INVALID_KIND;
  if (left < size) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = found;
  return CUPTI_SUCCESS;
}

CUptiResult result_string(CUptiResult, const char** text) {
  *text = "CUPTI_ERROR";
  return CUPTI_SUCCESS;
}

CUptiResult callback_name(CUpti_CallbackDomain, std::uint32_t id, const char** name) {
  *name = "cudaLaunchKernel_v7000";
  return id % 7 == 0 ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

// Returns a text for a pointer in a record. CUPTI's pointers are valid, but their texts can be
// anything.
const char* text_for(std::uintptr_t choice) {
  static const std::string long_name(100'000, 'k');
  static const std::array<const char*, 6> texts = {
      nullptr, "", "kernel", "\xff\xfe \x1b[31m\n", "_Z6kernelILi1EEvPfS0_", long_name.c_str()};
  return texts[choice % texts.size()];
}

template <class Record, class... Members>
void point(std::uint8_t* record, Members... members) {
  auto& typed = *reinterpret_cast<Record*>(record);
  ((typed.*members = text_for(reinterpret_cast<std::uintptr_t>(typed.*members))), ...);
}

void set_pointers(CUpti_ActivityKind kind, std::uint8_t* record) {
  if (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    point<records::Kernel>(record, &records::Kernel::name);
  } else if (kind == CUPTI_ACTIVITY_KIND_DEVICE) {
    point<records::Device>(record, &records::Device::name);
  } else if (kind == CUPTI_ACTIVITY_KIND_MARKER) {
    point<records::Marker>(record, &records::Marker::name, &records::Marker::domain);
  } else if (kind == CUPTI_ACTIVITY_KIND_MEMORY2) {
    point<records::Memory>(record, &records::Memory::name, &records::Memory::source);
  } else if (kind == CUPTI_ACTIVITY_KIND_JIT) {
    point<records::Jit>(record, &records::Jit::cachePath);
  } else if (kind == CUPTI_ACTIVITY_KIND_OVERHEAD) {
    auto& overhead = *reinterpret_cast<records::Overhead*>(record);
    const bool has_data = overhead.overheadData != nullptr;
    overhead.overheadData = has_data ? std::calloc(1, sizeof(records::CommandBufferFull)) : nullptr;
  }
}

}  // namespace

void cupti_buffer(Bytes bytes) {
  Input input(bytes);
  cupti::CuptiApi api;
  api.activity_get_next_record = next_record;
  api.get_result_string = result_string;
  api.get_callback_name = callback_name;
  trace::TraceWriter writer(schema::Database::in_memory());
  request::Capture capture;
  const auto choice = input.take<std::uint8_t>();
  if (choice == 1) capture.trigger = request::Capture::Trigger::profiler_api;
  if (choice == 2) capture.set_range("nvtx:kernel");
  if (choice == 3) capture.delay = std::chrono::milliseconds(1);
  decode::Decoder decoder(writer, api, 4711, 1'700'000'000'000'000'000, capture);
  std::vector<std::uint8_t> buffer;
  while (!input.empty()) {
    const Layout& layout = layouts[input.take<std::uint8_t>() % std::size(layouts)];
    const std::size_t at = buffer.size();
    buffer.resize(at + layout.size);
    input.fill(buffer.data() + at + sizeof layout.kind, layout.size - sizeof layout.kind);
    std::memcpy(buffer.data() + at, &layout.kind, sizeof layout.kind);
    set_pointers(layout.kind, buffer.data() + at);
  }
  const std::span<std::uint8_t> whole(buffer);
  if (choice == 2) decoder.find_range(std::span(&whole, 1));
  decoder.decode(buffer.data(), buffer.size());
  decoder.write_counts();
  decoder.finish();
  decoder.write_counts();
  writer.commit();
}

}  // namespace lapscope::fuzz

#include <cstdlib>

#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {

// Device memory.

namespace {

constexpr Claim may_wait{Documented::may_wait, "reference"};

// The driver takes small allocations from memory that it holds. For large ones, it maps new memory.
template <std::size_t bytes>
Lifetime<void*> linear() {
  return {[](void*& data) { return cudaMalloc(&data, bytes); }, cudaFree};
}

Lifetime<void*> pitched() {
  return {[](void*& data) {
            std::size_t pitch = 0;
            return cudaMallocPitch(&data, &pitch, 1000, 1000);
          },
          cudaFree};
}

Lifetime<cudaArray_t> array() {
  return {[](cudaArray_t& data) {
            const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
            return cudaMallocArray(&data, &format, 1024, 1024);
          },
          cudaFreeArray};
}

const Call all_allocation_calls[] = {
    {"cudaMalloc-4KiB", separates_streams, [](Rig&) { return creating(linear<4 << 10>()); }},
    {"cudaMalloc-64MiB", separates_streams, [](Rig&) { return creating(linear<64 << 20>()); }},
    {"cudaMallocPitch", separates_streams, [](Rig&) { return creating(pitched()); }},
    {"cudaMallocArray", separates_streams, [](Rig&) { return creating(array()); }},
    {"cudaFree-4KiB", may_wait, [](Rig&) { return destroying(linear<4 << 10>()); }},
    {"cudaFree-64MiB", may_wait, [](Rig&) { return destroying(linear<64 << 20>()); }},
    {"cudaFreeArray", not_named, [](Rig&) { return destroying(array()); }},
};

}  // namespace

std::span<const Call> allocation_calls() { return all_allocation_calls; }

// Page-locked host memory.

namespace {

constexpr std::size_t pinned_bytes = 1 << 20;
constexpr std::size_t page = 4096;

Lifetime<void*> pinned() {
  return {[](void*& data) { return cudaMallocHost(&data, pinned_bytes); }, cudaFreeHost};
}

Lifetime<void*> mapped() {
  return {[](void*& data) { return cudaHostAlloc(&data, pinned_bytes, cudaHostAllocMapped); },
          cudaFreeHost};
}

// The measured calls register and unregister memory. The memory itself exists as long as the trial.
Lifetime<void*> registered() {
  const std::shared_ptr<void> memory(std::aligned_alloc(page, pinned_bytes), std::free);
  if (memory == nullptr) throw Unavailable("could not allocate 1 MiB of host memory");
  return {[memory](void*& data) {
            data = memory.get();
            return cudaHostRegister(data, pinned_bytes, cudaHostRegisterDefault);
          },
          cudaHostUnregister};
}

const Call all_pinning_calls[] = {
    {"cudaMallocHost", separates_streams, [](Rig&) { return creating(pinned()); }},
    {"cudaHostAlloc-mapped", separates_streams, [](Rig&) { return creating(mapped()); }},
    {"cudaHostRegister", not_named, [](Rig&) { return creating(registered()); }},
    {"cudaFreeHost", not_named, [](Rig&) { return destroying(pinned()); }},
    {"cudaHostUnregister", not_named, [](Rig&) { return destroying(registered()); }},
};

}  // namespace

std::span<const Call> pinning_calls() { return all_pinning_calls; }

}  // namespace lapscope::workloads::implicit_sync

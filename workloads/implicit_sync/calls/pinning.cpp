// Page-locked host memory.

#include <cstdlib>

#include "workloads/implicit_sync/calls/families.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
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

// The memory is there for as long as the trial is; only its registration comes and goes.
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

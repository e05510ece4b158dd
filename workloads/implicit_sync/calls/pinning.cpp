// Page-locked host memory.

#include <cstdlib>

#include "workloads/implicit_sync/calls/families.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr std::size_t bytes = 1 << 20;
constexpr std::size_t page = 4096;

Lifetime<void*> pinned() {
  return {[](void*& data) { return cudaMallocHost(&data, bytes); }, cudaFreeHost};
}

Lifetime<void*> mapped() {
  return {[](void*& data) { return cudaHostAlloc(&data, bytes, cudaHostAllocMapped); },
          cudaFreeHost};
}

// The memory is there for as long as the trial is; only its registration comes and goes.
Lifetime<void*> registered() {
  const std::shared_ptr<void> memory(std::aligned_alloc(page, bytes), std::free);
  if (memory == nullptr) throw Unavailable("could not allocate 1 MiB of host memory");
  return {[memory](void*& data) {
            data = memory.get();
            return cudaHostRegister(data, bytes, cudaHostRegisterDefault);
          },
          cudaHostUnregister};
}

const Call calls[] = {
    {"cudaMallocHost", separates_streams, [](Rig&) { return creating(pinned()); }},
    {"cudaHostAlloc-mapped", separates_streams, [](Rig&) { return creating(mapped()); }},
    {"cudaHostRegister", not_named, [](Rig&) { return creating(registered()); }},
    {"cudaFreeHost", not_named, [](Rig&) { return destroying(pinned()); }},
    {"cudaHostUnregister", not_named, [](Rig&) { return destroying(registered()); }},
};

}  // namespace

std::span<const Call> pinning_calls() { return calls; }

}  // namespace lapscope::workloads::implicit_sync

// Device memory.

#include "workloads/implicit_sync/calls/families.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr Claim may_wait{Documented::may_wait, "reference"};

// Small allocations are cut from a block that the driver keeps, large ones are mapped anew.
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

}  // namespace lapscope::workloads::implicit_sync

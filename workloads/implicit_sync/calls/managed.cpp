// Managed memory.

#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr std::size_t managed_bytes = 1 << 20;

Lifetime<void*> managed() {
  return {[](void*& data) { return cudaMallocManaged(&data, managed_bytes); }, cudaFree};
}

cudaError_t prefetch_to_device(void* data, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  return cudaMemPrefetchAsync(data, managed_bytes, {cudaMemLocationTypeDevice, 0}, 0, stream);
#else
  return cudaMemPrefetchAsync(data, managed_bytes, 0, stream);
#endif
}

cudaError_t advise_read_mostly(void* data) {
#if CUDART_VERSION >= 13000
  return cudaMemAdvise(data, managed_bytes, cudaMemAdviseSetReadMostly,
                       {cudaMemLocationTypeDevice, 0});
#else
  return cudaMemAdvise(data, managed_bytes, cudaMemAdviseSetReadMostly, 0);
#endif
}

// Allocates new memory for each call, so that the call always has an effect.
Trial using_managed(std::function<cudaError_t(void*)> run) {
  const auto data = std::make_shared<void*>();
  Trial trial = calling([=] { return run(*data); });
  trial.prepare = [=] { require(managed().create(*data), "allocate managed memory"); };
  trial.clean = [=] { require(managed().destroy(*data), "free managed memory"); };
  return trial;
}

Trial attaching(Rig& rig) {
  const cudaStream_t stream = rig.own.get();
  return in_stream(stream, using_managed([stream](void* data) {
                     return cudaStreamAttachMemAsync(stream, data, 0, cudaMemAttachSingle);
                   }));
}

Trial prefetching(Rig& rig) {
  const cudaStream_t stream = rig.own.get();
  return in_stream(
      stream, using_managed([stream](void* data) { return prefetch_to_device(data, stream); }));
}

const Call all_managed_calls[] = {
    {"cudaMallocManaged", separates_streams, [](Rig&) { return creating(managed()); }},
    {"cudaFree-managed",
     {Documented::may_wait, "reference"},
     [](Rig&) { return destroying(managed()); }},
    {"cudaMemPrefetchAsync", not_named, prefetching},
    {"cudaMemAdvise", not_named, [](Rig&) { return using_managed(advise_read_mostly); }},
    {"cudaStreamAttachMemAsync", not_named, attaching},
};

}  // namespace

std::span<const Call> managed_calls() { return all_managed_calls; }

}  // namespace lapscope::workloads::implicit_sync

// Making and destroying cuBLAS handles, as an example of a library that allocates.

#include "workloads/harness/shared_library.h"
#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

// The header of cuBLAS is not needed, because a handle is a pointer and status 0 means success.
Lifetime<void*> handle() {
  const SharedLibrary library("cuBLAS", {"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
  const auto create = library.function<int (*)(void**)>("cublasCreate_v2");
  const auto destroy = library.function<int (*)(void*)>("cublasDestroy_v2");
  const auto as_cuda = [](int status) { return status == 0 ? cudaSuccess : cudaErrorUnknown; };
  return {[=](void*& created) { return as_cuda(create(&created)); },
          [=](void* destroyed) { return as_cuda(destroy(destroyed)); }};
}

const Call all_cublas_calls[] = {
    {"cublasCreate", not_named, [](Rig&) { return creating(handle()); }},
    {"cublasDestroy",
     {Documented::host_waits_for_device, "cuBLAS"},
     [](Rig&) { return destroying(handle()); }},
};

}  // namespace

std::span<const Call> cublas_calls() { return all_cublas_calls; }

}  // namespace lapscope::workloads::implicit_sync

#include "collector/decode/kinds.h"

namespace lapscope::decode {
namespace {

// Two must never stand here: CUPTI_ACTIVITY_KIND_KERNEL makes CUPTI serialize all kernels, and
// CUPTI_ACTIVITY_KIND_PCIE makes CUDA load all modules at once instead of lazily.
constexpr Kind kinds[] = {
    {CUPTI_ACTIVITY_KIND_DEVICE, "DEVICE", decode_device},
    {CUPTI_ACTIVITY_KIND_NVLINK, "NVLINK", decode_nvlink},
    {CUPTI_ACTIVITY_KIND_CONTEXT, "CONTEXT", decode_context},
    {CUPTI_ACTIVITY_KIND_STREAM, "STREAM", decode_stream},
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "CONCURRENT_KERNEL", decode_kernel},
    {CUPTI_ACTIVITY_KIND_MEMCPY, "MEMCPY", decode_memcpy},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, "MEMCPY2", decode_memcpy_peer},
    {CUPTI_ACTIVITY_KIND_MEMSET, "MEMSET", decode_memset},
    {CUPTI_ACTIVITY_KIND_RUNTIME, "RUNTIME", decode_runtime_call},
    {CUPTI_ACTIVITY_KIND_DRIVER, "DRIVER", decode_driver_call},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "SYNCHRONIZATION", decode_synchronization},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, "CUDA_EVENT", decode_cuda_event},
    {CUPTI_ACTIVITY_KIND_MEMORY2, "MEMORY2", decode_memory},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, "OVERHEAD", decode_overhead},
    {CUPTI_ACTIVITY_KIND_MARKER, "MARKER", decode_marker},
};

}  // namespace

std::span<const Kind> recorded_kinds() { return kinds; }

}  // namespace lapscope::decode

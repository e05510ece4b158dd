#pragma once

#include <cuda_runtime_api.h>

namespace lapscope::workloads::implicit_sync {

// A variable in constant memory, for calls that take a symbol.
const void* device_symbol();

// Launches a kernel that can print and does not, so that stdout keeps to the results.
cudaError_t launch_printing_kernel(cudaStream_t stream);

}  // namespace lapscope::workloads::implicit_sync

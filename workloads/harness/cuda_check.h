#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <string_view>

namespace lapscope::workloads {

// Throws std::runtime_error with a sentence if a CUDA call failed. `action` completes "could
// not ...":
//
//   check(cudaDeviceSynchronize(), "wait for the device");
void check(cudaError_t error, std::string_view action,
           std::source_location where = std::source_location::current());

}  // namespace lapscope::workloads

#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "workloads/harness/device.h"

// Host functions that the kernels of usual_kernel.h share.
namespace lapscope::workloads {

template <typename Kernel>
void load(Kernel* kernel) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "load a kernel");
}

inline void require_launched() { check(cudaGetLastError(), "launch a kernel"); }

template <typename T>
T fetched(const T* from) {
  T value{};
  check(cudaMemcpy(&value, from, sizeof(T), cudaMemcpyDeviceToHost), "copy a result to the host");
  return value;
}

template <typename T>
void require_equal(T found, T expected, const char* what) {
  if (found == expected) return;
  throw std::runtime_error("wrong result: " + std::string(what) + " is " + std::to_string(found) +
                           ", not " + std::to_string(expected));
}

inline void fill(void* memory, int byte, std::size_t bytes) {
  check(cudaMemset(memory, byte, bytes), "fill memory");
}

}  // namespace lapscope::workloads

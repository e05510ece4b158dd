#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include "workloads/harness/device.h"
#include "workloads/harness/usual_kernel.h"

namespace lapscope::workloads {

// These functions make the kernels for make_usual_kernel(), with `blocks` blocks and `lanes` lanes.
std::unique_ptr<UsualKernel> make_map(unsigned blocks, std::size_t lanes);
std::unique_ptr<UsualKernel> make_reduction(unsigned blocks, std::size_t lanes);
std::unique_ptr<UsualKernel> make_reads(unsigned blocks, std::size_t lanes);
std::unique_ptr<UsualKernel> make_arithmetic(unsigned blocks, std::size_t lanes);

// Throws SkippedError if cuBLAS is not installed.
std::unique_ptr<UsualKernel> make_gemm(unsigned blocks, std::size_t lanes);

// The kernels share the following host functions.
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

#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Each function launches a kernel with one thread. The kernels are in a separate file, because nvcc
// compiles launch_loop slowly.
void launch_nothing(cudaStream_t stream);
void launch_nothing_with_priority(cudaStream_t stream);  // uses cudaLaunchKernelEx
void launch_spin(std::int64_t cycles, cudaStream_t stream);

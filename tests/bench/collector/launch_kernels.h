#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Kernels of one thread. In a file of their own: nvcc compiles the rest of launch_loop slowly.
void launch_nothing(cudaStream_t stream);
void launch_nothing_with_priority(cudaStream_t stream);  // by cudaLaunchKernelEx
void launch_spin(std::int64_t cycles, cudaStream_t stream);

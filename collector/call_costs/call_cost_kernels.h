#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Kernels of one thread, in a file of their own: nvcc compiles the rest slowly.
void launch_nothing(cudaStream_t stream);
void launch_spin(std::int64_t cycles, cudaStream_t stream);
// Writes the device's time, in ns, to memory that it can reach.
void launch_mark(unsigned long long* at, cudaStream_t stream);

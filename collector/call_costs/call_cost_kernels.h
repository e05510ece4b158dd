#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// launch_nothing() and launch_spin() launch a kernel of one GPU thread. All kernels are in a file
// of their own, because nvcc compiles the other code slowly.
void launch_nothing(cudaStream_t stream);
void launch_spin(std::int64_t cycles, cudaStream_t stream);
// Launches a kernel that reads the device's clock and writes the time, in ns, to `at`. The device
// must have access to `at`.
void launch_mark(unsigned long long* at, cudaStream_t stream);

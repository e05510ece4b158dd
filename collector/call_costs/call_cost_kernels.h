#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// launch_nothing() and launch_spin() launch a kernel of one GPU thread. The kernels have a file of
// their own, because nvcc compiles other code slowly.
void launch_nothing(cudaStream_t stream);
void launch_spin(std::int64_t cycles, cudaStream_t stream);
// Launches a kernel that writes the time of the device's clock, in ns, to `at`. The device must
// have access to `at`.
void launch_mark(unsigned long long* at, cudaStream_t stream);

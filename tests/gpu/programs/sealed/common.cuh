#pragma once

// What the programs share: errors, memory, streams and a hash.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace sealed {

// `round` does the whole work once, always from the same initial state. `checksum` returns a number
// that depends on the results. The broken and the fixed variant have the same number.
struct Program {
  std::function<void()> round;
  std::function<double()> checksum;
};

inline void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s.\n", cudaGetErrorName(result), cudaGetErrorString(result));
  std::_Exit(1);  // Threads of the program may still be at work.
}

inline void launched() { check(cudaGetLastError()); }

// Returns zeroed memory that stays until the program ends.
template <class T>
T* on_device(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)));
  check(cudaMemset(memory, 0, count * sizeof(T)));
  check(cudaDeviceSynchronize());
  return static_cast<T*>(memory);
}

template <class T>
T* pinned(std::size_t count) {
  void* memory = nullptr;
  check(cudaMallocHost(&memory, count * sizeof(T)));
  std::memset(memory, 0, count * sizeof(T));
  return static_cast<T*>(memory);
}

inline cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

inline cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

__host__ __device__ inline unsigned mixed(unsigned x) {
  x ^= x >> 16U;
  x *= 0x7feb352dU;
  x ^= x >> 15U;
  x *= 0x846ca68bU;
  return x ^ (x >> 16U);
}

// From 0 to 1.
__host__ __device__ inline float fraction(unsigned bits) {
  return static_cast<float>(bits >> 8U) * (1.0F / 16777216.0F);
}

static __global__ void fill_fractions(float* values, std::size_t count, unsigned seed) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    values[i] = fraction(mixed(static_cast<unsigned>(i) ^ mixed(seed)));
}

inline float* fractions(std::size_t count, unsigned seed) {
  float* values = on_device<float>(count);
  fill_fractions<<<528, 256>>>(values, count, seed);
  launched();
  check(cudaDeviceSynchronize());
  return values;
}

// Adds up the values, each multiplied by its index. Swapped values therefore change the sum. For
// large arrays, uses only one of `every` values.
template <class T>
double sum_on_host(const T* values, std::size_t count, std::size_t every = 1) {
  double sum = 0.0;
  for (std::size_t i = 0; i < count; i += every)
    sum += static_cast<double>(values[i]) * static_cast<double>(1 + i % 31);
  return sum;
}

template <class T>
double sum_on_device(const T* values, std::size_t count, std::size_t every = 1) {
  std::vector<T> copy(count);
  check(cudaMemcpy(copy.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost));
  return sum_on_host(copy.data(), count, every);
}

}  // namespace sealed

#pragma once

// What all programs share: buffers, a hash, and a list of results. The broken and the fixed variant
// of a program must have the same results.

#include "tests/gpu/programs/planted.cuh"

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace independent {

using planted::check;
using planted::new_stream;
using planted::Round;

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

template <class T>
T* uploaded(const std::vector<T>& values) {
  T* memory = on_device<T>(values.size());
  check(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

inline cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

__host__ __device__ inline unsigned pcg(unsigned x) {
  x = x * 747796405U + 2891336453U;
  const unsigned word = ((x >> ((x >> 28U) + 4U)) ^ x) * 277803737U;
  return (word >> 22U) ^ word;
}

__host__ __device__ inline float unit(unsigned bits) {
  return static_cast<float>(bits >> 8U) * (1.0F / 16777216.0F);
}

static __global__ void fill_unit(float* values, std::size_t count, unsigned seed) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    values[i] = unit(pcg(static_cast<unsigned>(i) ^ pcg(seed)));
}

static __global__ void fill_words(unsigned* values, std::size_t count, unsigned seed) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    values[i] = pcg(static_cast<unsigned>(i) ^ pcg(seed));
}

inline float* random_floats(std::size_t count, unsigned seed) {
  float* values = on_device<float>(count);
  fill_unit<<<264, 256>>>(values, count, seed);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  return values;
}

inline unsigned* random_words(std::size_t count, unsigned seed) {
  unsigned* values = on_device<unsigned>(count);
  fill_words<<<264, 256>>>(values, count, seed);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  return values;
}

struct Watched {
  const char* what;
  const void* memory;
  std::size_t bytes;
};

inline std::vector<Watched>& watched() {
  static std::vector<Watched> all;
  return all;
}

// Keeps host memory until the program ends, as watch() requires.
template <class T>
std::shared_ptr<T> kept(std::shared_ptr<T> value) {
  static std::vector<std::shared_ptr<void>> all;
  all.push_back(value);
  return value;
}

// Adds memory of the device or the host to the results. It must exist until the program ends.
inline void watch(const char* what, const void* memory, std::size_t bytes) {
  watched().push_back({what, memory, bytes});
}

inline void launched() { check(cudaGetLastError()); }

}  // namespace independent

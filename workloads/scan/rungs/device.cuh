#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "workloads/harness/device.h"
#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned all_lanes = 0xffffffffU;

__device__ inline unsigned lane_id() { return threadIdx.x % warp_size; }
__device__ inline unsigned warp_id() { return threadIdx.x / warp_size; }

// The arrays of a scan on the device.
template <typename T>
struct Arrays {
  const T* in = nullptr;
  T* out = nullptr;
  std::uint64_t n = 0;
  bool exclusive = false;
  bool aligned = false;  // Both arrays are aligned to 16 bytes, for vector access.
};

template <typename T>
Arrays<T> arrays_of(const ScanCall& call) {
  const auto fits = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) % 16 == 0; };
  return {static_cast<const T*>(call.in), static_cast<T*>(call.out), call.n,
          call.kind == Kind::exclusive, fits(call.in) && fits(call.out)};
}

constexpr std::uint64_t tiles_of(std::uint64_t n, std::uint64_t size) {
  return (n + size - 1) / size;
}

}  // namespace lapscope::workloads::scan

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "workloads/scan/problem/combination.h"

namespace lapscope::workloads::scan {

// An operator of the scan: associative, with an identity. op(a, b) has a to the left of b, and no
// caller may swap them.

// Integers wrap around.
template <typename T>
struct Sum {
  static constexpr Operator name = Operator::sum;
  __host__ __device__ static constexpr T identity() { return T{0}; }
  __host__ __device__ constexpr T operator()(T a, T b) const {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
};

template <typename T>
struct Max {
  static constexpr Operator name = Operator::max;
  static constexpr T lowest = std::numeric_limits<T>::lowest();
  __host__ __device__ static constexpr T identity() { return lowest; }
  __host__ __device__ constexpr T operator()(T a, T b) const { return a < b ? b : a; }
};

// Of two maps, the left one is applied first: (m1, c1), (m2, c2) -> (m1 m2, m2 c1 + c2).
template <typename T>
struct Affine {
  static constexpr Operator name = Operator::affine;
  static constexpr int half = 4 * sizeof(T);
  static constexpr T low = (T{1} << half) - 1;
  __host__ __device__ static constexpr T identity() { return T{1} << half; }
  __host__ __device__ constexpr T operator()(T a, T b) const {
    const T multiplier = b >> half;
    return (multiplier * (a & ~low)) | ((multiplier * (a & low) + b) & low);
  }
};

}  // namespace lapscope::workloads::scan

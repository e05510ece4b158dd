#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>

#include "workloads/scan/problem/operators.h"

namespace lapscope::workloads::scan {

enum class Fill {
  random,
  constant,  // Ones: a sum is then the count of the elements, and any lost one shows.
};

// Mixes all bits of an index; the finalizer of MurmurHash3.
__host__ __device__ constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

// The input at `index`, the same on host and device: a result is checked without a copy of what it
// was made from, also after a scan in place.
//
// Random values of max rise slowly, because of equally distributed ones the largest comes early and
// hides all that follows. Random multipliers of affine are odd: even ones soon multiply to zero.
// Random f32 lie in (-1, 1) and are multiples of 2^-23.
template <typename Problem>
__host__ __device__ constexpr typename Problem::In input_at(std::uint64_t index, Fill fill) {
  using In = typename Problem::In;
  if (fill == Fill::constant) return static_cast<In>(1);
  const std::uint64_t random = mix(index);
  if constexpr (Problem::Op::name == Operator::max) {
    // 24 bits are exact in every type but u8, which wraps around.
    return static_cast<In>(((index >> 6) + (random & 63)) & 0xffffff);
  } else if constexpr (Problem::Op::name == Operator::affine) {
    return static_cast<In>(random) | Problem::Op::identity();
  } else if constexpr (std::is_floating_point_v<In>) {
    const auto signed_bits = static_cast<std::int32_t>(random & 0xffffff) - (1 << 23);
    return static_cast<In>(signed_bits) * (In{1} / (1 << 23));
  } else {
    return static_cast<In>(random);
  }
}

}  // namespace lapscope::workloads::scan

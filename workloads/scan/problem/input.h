#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>

#include "workloads/scan/problem/operators.h"

namespace lapscope::workloads::scan {

enum class Fill {
  random,    // All sums of it are exact, of f32 too.
  constant,  // Ones: a sum is then the count of the elements. Of f32 exact up to 2^24 of them.
  real,      // f32 with fractions: its sums round. For all else the same as random.
};

// Mixes all bits of an index; the finalizer of MurmurHash3.
__host__ __device__ constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

// What the random f32 before `index` sum up to: any of 0 to 2^22 - 1, and 0 at the beginning.
__host__ __device__ constexpr std::int32_t walk_at(std::uint64_t index) {
  return static_cast<std::int32_t>(mix(index) & 0x3fffff);
}

// The input at `index`, the same on host and device: a result is checked without a copy of what it
// was made from, also after a scan in place.
//
// Random values of max rise slowly, because of equally distributed ones the largest comes early and
// hides all that follows. Random multipliers of affine are odd: even ones soon multiply to zero.
//
// Random f32 are the steps of a walk that never leaves 0 to 2^22. A sum of neighbours, wherever it
// begins and ends, is the difference of two places of the walk: a whole number below 2^22, which
// f32 holds exactly. So every order of adding neighbours gives the same, at any n, and results are
// compared exactly. Real f32 lie in [-1, 1) and are multiples of 2^-23.
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
    if (fill == Fill::random) return static_cast<In>(walk_at(index + 1) - walk_at(index));
    const auto signed_bits = static_cast<std::int32_t>(random & 0xffffff) - (1 << 23);
    return static_cast<In>(signed_bits) * (In{1} / (1 << 23));
  } else {
    return static_cast<In>(random);
  }
}

// What the result at `index` must be, given that the one before it is right.
template <typename Problem>
__host__ __device__ constexpr typename Problem::Acc follows(const typename Problem::Acc* out,
                                                            std::uint64_t index, Fill fill,
                                                            bool exclusive) {
  using Acc = typename Problem::Acc;
  using Op = typename Problem::Op;
  const Acc last = index == 0 ? Op::identity() : out[index - 1];
  if (exclusive && index == 0) return last;
  return Op{}(last, static_cast<Acc>(input_at<Problem>(exclusive ? index - 1 : index, fill)));
}

}  // namespace lapscope::workloads::scan

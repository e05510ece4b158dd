#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lapscope::workloads {

// x -> multiplier * x + increment, modulo 2^32.
//
// The kernels of the workloads iterate this map: it costs time proportional to the number of
// iterations, a compiler cannot skip it, and the host knows the exact answer without repeating
// it, because iterating an affine map gives another affine map (see `power`).
struct AffineMap {
  std::uint32_t multiplier = 1;
  std::uint32_t increment = 0;

  constexpr std::uint32_t operator()(std::uint32_t x) const { return multiplier * x + increment; }

  friend constexpr bool operator==(const AffineMap&, const AffineMap&) = default;
};

// One step of the linear congruential generator of Numerical Recipes: full period, so that no
// number of iterations below 2^32 is the identity.
inline constexpr AffineMap step{1664525U, 1013904223U};

// `outer` after `inner`.
constexpr AffineMap compose(AffineMap outer, AffineMap inner) {
  return {outer.multiplier * inner.multiplier, outer(inner.increment)};
}

// `map` applied `exponent` times, in about 2 log2(exponent) compositions.
constexpr AffineMap power(AffineMap map, std::uint64_t exponent) {
  AffineMap result;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = compose(map, result);
    map = compose(map, map);
  }
  return result;
}

// The input of the workloads at `index`: distinct for any 2^32 consecutive indices, so that a
// result that landed in the wrong place is a wrong result.
constexpr std::uint32_t pattern_value(std::size_t index) {
  return 2654435761U * static_cast<std::uint32_t>(index) + 12345U;
}

void fill_pattern(std::span<std::uint32_t> data);

struct Mismatch {
  std::size_t index = 0;
  std::uint32_t found = 0;
  std::uint32_t expected = 0;
};

// The first element that differs from `map(pattern_value(index))`, if any. Checks every element.
std::optional<Mismatch> find_mismatch(std::span<const std::uint32_t> data, AffineMap map);

}  // namespace lapscope::workloads

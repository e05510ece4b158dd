#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lapscope::workloads {

// x -> multiplier * x + increment, modulo 2^32.
//
// The kernels of the workloads apply this map many times. A compiler cannot leave out any of these
// steps, so the time is proportional to their number. The host computes the result directly (see
// `power`), because a repeated affine map is an affine map itself.
struct AffineMap {
  std::uint32_t multiplier = 1;
  std::uint32_t increment = 0;

  constexpr std::uint32_t operator()(std::uint32_t x) const { return multiplier * x + increment; }

  friend constexpr bool operator==(const AffineMap&, const AffineMap&) = default;
};

// One step of the linear congruential generator of Numerical Recipes. The generator has full
// period: it returns to its start only after 2^32 steps.
inline constexpr AffineMap step{1664525U, 1013904223U};

// Returns the map that applies `inner`, then `outer`.
constexpr AffineMap compose(AffineMap outer, AffineMap inner) {
  return {outer.multiplier * inner.multiplier, outer(inner.increment)};
}

// Returns `map` applied `exponent` times, with about 2 log2(exponent) compositions.
constexpr AffineMap power(AffineMap map, std::uint64_t exponent) {
  AffineMap result;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = compose(map, result);
    map = compose(map, map);
  }
  return result;
}

// Returns the input of the workloads at `index`. The values of 2^32 consecutive indices differ.
// `find_mismatch` therefore also finds a correct value that was written to the wrong place.
constexpr std::uint32_t pattern_value(std::size_t index) {
  return 2654435761U * static_cast<std::uint32_t>(index) + 12345U;
}

void fill_pattern(std::span<std::uint32_t> data);

struct Mismatch {
  std::size_t index = 0;
  std::uint32_t found = 0;
  std::uint32_t expected = 0;
};

// Checks every element. Returns the first that is not `map(pattern_value(index))`, if any.
std::optional<Mismatch> find_mismatch(std::span<const std::uint32_t> data, AffineMap map);

}  // namespace lapscope::workloads

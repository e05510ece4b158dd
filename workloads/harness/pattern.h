#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "workloads/harness/affine.h"

namespace lapscope::workloads {

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

#include "workloads/harness/affine.h"

namespace lapscope::workloads {

void fill_pattern(std::span<std::uint32_t> data) {
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = pattern_value(i);
}

std::optional<Mismatch> find_mismatch(std::span<const std::uint32_t> data, AffineMap map) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::uint32_t expected = map(pattern_value(i));
    if (data[i] != expected) return Mismatch{i, data[i], expected};
  }
  return std::nullopt;
}

}  // namespace lapscope::workloads

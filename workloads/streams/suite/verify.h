#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "workloads/harness/affine.h"

namespace lapscope::workloads::streams {

// Throws std::runtime_error unless every element of `data` is `map` of the pattern, counted from
// `first`. `name` says what the data is.
void require_pattern(std::span<const std::uint32_t> data, std::size_t first, AffineMap map,
                     const std::string& name);

// Throws std::runtime_error unless all elements are `value`.
void require_value(std::span<const std::uint32_t> data, std::uint32_t value,
                   const std::string& name);

}  // namespace lapscope::workloads::streams

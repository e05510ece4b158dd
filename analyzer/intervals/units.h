#pragma once

#include <cstdint>

namespace lapscope::analyzer {

// Nanoseconds: a duration, or a time since the session start unless a comment says otherwise.
using Ns = std::int64_t;

// A number of bytes: the size of memory or of copied data.
using Bytes = std::int64_t;

// A part of a whole, mostly of the wall time: from 0 to 1. It is below 0 only for a fix that makes
// the program slower.
using Share = double;

// Returns part / whole. Returns 0 if the whole is 0 or less.
inline Share portion(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace lapscope::analyzer

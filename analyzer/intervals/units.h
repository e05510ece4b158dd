#pragma once

#include <cstdint>

namespace lapscope::analyzer {

// Nanoseconds: a duration or a point in time. A point in time is the time since the session start,
// unless the comment of a variable names another start.
using Ns = std::int64_t;

// A number of bytes: the size of memory or of copied data.
using Bytes = std::int64_t;

// A part of a whole, mostly of the wall time. Shares are from 0 to 1, but the saving of a fix can
// be negative.
using Share = double;

// Returns the part as a share of the whole; 0 if the whole is 0 or less.
inline Share portion(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace lapscope::analyzer

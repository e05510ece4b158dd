#pragma once

#include <cstdint>

namespace lapscope::analyzer {

// Nanoseconds: how long something took, or a point in time, then from the start of the session on
// if nothing else is said.
using Ns = std::int64_t;

// How much memory something takes, or how much was moved.
using Bytes = std::int64_t;

// A part of a whole, mostly of the wall time: 0 to 1. Of what a fix saves it may be below 0.
using Share = double;

}  // namespace lapscope::analyzer

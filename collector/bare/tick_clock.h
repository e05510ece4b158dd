#pragma once

#include <cstdint>

// A clock that is cheap to read, so that short ranges can be timed. The clock is the processor's
// counter if the Linux kernel uses this counter as its clock, and CLOCK_MONOTONIC if not.
namespace lapscope::bare {

std::int64_t ticks() noexcept;

// Converts a number of ticks to ns. Uses the mean rate of the counter since the library was loaded.
// So the result becomes more exact as the process runs longer.
double ns_of_ticks(std::int64_t ticks) noexcept;

}  // namespace lapscope::bare

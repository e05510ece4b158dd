#pragma once

#include <cstdint>

// A clock that is cheap enough to time short ranges. It is the processor's counter if the Linux
// kernel uses this counter, and else CLOCK_MONOTONIC.
namespace lapscope::bare {

std::int64_t ticks() noexcept;

// Converts ticks to ns at the mean rate of the counter since the library was loaded. The longer the
// process runs, the more exact the result is.
double ns_of_ticks(std::int64_t ticks) noexcept;

}  // namespace lapscope::bare

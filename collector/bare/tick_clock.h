#pragma once

#include <cstdint>

// A clock that takes less to read than the range it is to time: the processor's own counter where
// the kernel itself keeps time by it, else CLOCK_MONOTONIC.
namespace lapscope::bare {

std::int64_t ticks() noexcept;

// How long so many ticks are. The longer the process has run, the more exact: the counter's rate is
// what it was since the clock was first read.
double ns_of_ticks(std::int64_t ticks) noexcept;

}  // namespace lapscope::bare

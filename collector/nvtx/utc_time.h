#pragma once

#include <time.h>

#include <cstdint>

// Times in the form that CUPTI uses in its records of NVTX ranges.
namespace lapscope::nvtx {

// Returns the time in ns since 1970 UTC, read from the clock that CUPTI uses.
inline std::uint64_t utc_ns() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace lapscope::nvtx

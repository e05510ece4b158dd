#pragma once

#include <time.h>

#include <cstdint>

#include "collector/process/thread_number.h"

// Times and thread ids in the form that CUPTI uses in its records of NVTX ranges.
namespace lapscope::nvtx {

// Returns the time in ns since 1970 UTC, read from the clock that CUPTI uses.
inline std::uint64_t utc_ns() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// Returns the Linux thread id of the calling thread. The id is cached. In a child made by fork(),
// the cached id would be wrong, but ranges are not watched in such a child.
inline std::uint32_t this_thread() noexcept {
  thread_local const auto id = static_cast<std::uint32_t>(process::thread_id());
  return id;
}

}  // namespace lapscope::nvtx

#pragma once

#include <time.h>

#include <cstdint>

#include "collector/process/thread_number.h"

// What a record of CUPTI's contains about a range besides its name, obtained as CUPTI does.
namespace lapscope::nvtx {

// ns, by CUPTI's clock.
inline std::uint64_t utc_ns() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// The system's id of this thread, asked of the kernel once: in a child made by fork(), where it is
// another, nothing is watched.
inline std::uint32_t this_thread() noexcept {
  thread_local const auto id = static_cast<std::uint32_t>(process::thread_id());
  return id;
}

}  // namespace lapscope::nvtx

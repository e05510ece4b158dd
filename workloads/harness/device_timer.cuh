#pragma once

#include <cstdint>

namespace lapscope::workloads {

// The GPU's own clock in nanoseconds, common to all its multiprocessors. It ticks as coarsely as
// once per microsecond on some GPUs: use it for 10 us and more.
inline __device__ std::uint64_t timer_ns() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace lapscope::workloads

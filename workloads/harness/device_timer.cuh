#pragma once

#include <cstdint>

namespace lapscope::workloads {

// The GPU's clock of wall time. It ticks as coarsely as once per microsecond on some GPUs.
__device__ inline std::uint64_t device_timer_ns() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace lapscope::workloads

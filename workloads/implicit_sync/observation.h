#pragma once

#include <array>
#include <chrono>
#include <string_view>

#include "workloads/harness/timed_kernels.h"

namespace lapscope::workloads::implicit_sync {

// Which streams the two kernels use. The first kernel, `before`, is issued before the call, and
// runs during the call. The second kernel, `after`, is issued after the call.
enum class Arrangement {
  beside,    // Two non-blocking streams without work of the call.
  blocking,  // Two blocking streams without work of the call.
  marker,    // Before: a non-blocking stream. After: the call's own stream.
  own,       // Before: the call's own stream. No kernel after: a stream is in order anyway.
};

inline constexpr std::array<Arrangement, 4> arrangements{Arrangement::beside, Arrangement::blocking,
                                                         Arrangement::marker, Arrangement::own};

// Returns the key in the JSON output.
constexpr std::string_view name_of(Arrangement arrangement) {
  constexpr std::array<std::string_view, arrangements.size()> names{"beside", "blocking", "marker",
                                                                    "own"};
  return names[static_cast<std::size_t>(arrangement)];
}

// What was measured for a call while the first kernel ran. Times are by the host's clock, in ms.
struct Observation {
  double call_ms = 0;
  bool ended_before_return = false;  // Whether `before` had ended when the call returned.
  double issue_ms = 0;               // The host's time for launching the kernel `after`.
  double left_ms = 0;  // Rest of `before` after that launch; negative if `before` had ended.
  KernelSpan before;   // Both spans are by the GPU's clock.
  KernelSpan after;    // All 0 if the arrangement has no kernel `after`.
};

// Returns how long a kernel must be so that a call returns while the kernel runs. The call takes
// `idle_ms` on an idle device. While a kernel runs, the call may take several times longer.
constexpr std::chrono::nanoseconds kernel_length(double idle_ms) {
  constexpr double floor_ms = 2;
  constexpr double per_idle_ms = 4;
  return std::chrono::nanoseconds(
      static_cast<std::int64_t>(1e6 * (floor_ms + per_idle_ms * idle_ms)));
}

}  // namespace lapscope::workloads::implicit_sync

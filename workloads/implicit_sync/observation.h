#pragma once

#include <array>
#include <chrono>
#include <string_view>

#include "workloads/harness/timed_kernels.h"

namespace lapscope::workloads::implicit_sync {

// Where the kernel that runs during the call and the kernel issued after it are put.
enum class Arrangement {
  beside,    // In two non-blocking streams that have nothing to do with the call.
  blocking,  // The same with two blocking streams.
  marker,    // Before: a non-blocking stream. After: the call's own stream.
  own,       // Before: the call's own stream. None after: a stream is in order anyway.
};

inline constexpr std::array<Arrangement, 4> arrangements{Arrangement::beside, Arrangement::blocking,
                                                         Arrangement::marker, Arrangement::own};

// The key in the JSON output.
constexpr std::string_view name_of(Arrangement arrangement) {
  constexpr std::array<std::string_view, arrangements.size()> names{"beside", "blocking", "marker",
                                                                    "own"};
  return names[static_cast<std::size_t>(arrangement)];
}

// One call made while a kernel ran. The times in ms are the host's, the spans are the GPU's.
struct Observation {
  double call_ms = 0;
  bool ended_before_return = false;  // The kernel before had ended when the call returned.
  double issue_ms = 0;               // What launching the kernel after took the host.
  double left_ms = 0;  // How much of the kernel before was left then; negative: it had ended.
  KernelSpan before;
  KernelSpan after;  // All 0 in the arrangement that has none.
};

// How long the kernel before must be to outlast a call that takes `idle_ms` on an idle device, even
// if it takes some times longer beside a kernel.
constexpr std::chrono::nanoseconds kernel_length(double idle_ms) {
  constexpr double floor_ms = 2;
  constexpr double per_idle_ms = 4;
  return std::chrono::nanoseconds(
      static_cast<std::int64_t>(1e6 * (floor_ms + per_idle_ms * idle_ms)));
}

}  // namespace lapscope::workloads::implicit_sync

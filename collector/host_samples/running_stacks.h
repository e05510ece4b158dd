#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "collector/stacks/call_stacks.h"

namespace lapscope::host_samples {

// Where threads of this process are that run, and their stacks there, as the kernel copies them
// (process/thread_clock.h): a clock of the thread's own time, which is set going for each look,
// ends after some 10 us, and the kernel then copies its registers and what is innermost on its
// stack into memory shared with it. The thread gets no signal and never waits. For one thread, the
// one that looks.
//
// A clock has a descriptor, which stays open: opening it anew takes three times as long as a look.
// A program may close descriptors that it has not opened, and have the number for a file of its
// own: so a number is used, and closed, only while it is that clock's.
class RunningStacks {
 public:
  // More threads than this have no clocks.
  static constexpr std::size_t most = 32;

  RunningStacks() = default;
  RunningStacks(const RunningStacks&) = delete;
  RunningStacks& operator=(const RunningStacks&) = delete;
  ~RunningStacks();

  using Copy = stacks::CallStacks::Running;  // until the next one
  // The stack of a thread of this process, which has this place among the watched threads. Nothing
  // if it does not run in the program's own code within a millisecond.
  std::optional<Copy> copy(std::size_t place, std::uint32_t thread) noexcept;
  // The thread of that place has ended.
  void forget(std::size_t place) noexcept;

 private:
  struct Clock {
    int file = -1;
    std::uint64_t id = 0;  // of the kernel, for this clock alone
    std::uint32_t thread = 0;
    void* shared = nullptr;
  };

  bool is_ready(Clock& clock, std::uint32_t thread) noexcept;
  std::optional<Copy> read(const Clock& clock) noexcept;
  void close(Clock& clock) noexcept;

  std::array<Clock, most> clocks_;
  std::array<std::byte, 16 * 1024> record_;
};

}  // namespace lapscope::host_samples

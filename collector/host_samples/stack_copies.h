#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "collector/host_samples/thread_files.h"
#include "collector/stacks/call_stacks.h"

namespace lapscope::host_samples {

// Copies the registers and the stacks of running threads of this process. Each thread has a clock:
// a perf event on its CPU time (process/thread_clock.h). ask() starts the clock. After some 10 us
// of CPU time, Linux copies the thread's registers and the innermost part of its stack into shared
// memory. The thread gets no signal and never waits. Only the sampler's thread uses this class.
//
// The descriptor of a clock stays open after a copy, because opening it takes three times as long
// as a copy. If the sampler's thread has no table of descriptors of its own, the program can close
// this descriptor, and then open a file that gets the same number. So this class checks the id of
// the perf event before it closes a descriptor.
class RunningStacks {
 public:
  // The maximum number of threads that have clocks.
  static constexpr std::size_t most = 32;

  RunningStacks() = default;
  RunningStacks(const RunningStacks&) = delete;
  RunningStacks& operator=(const RunningStacks&) = delete;
  ~RunningStacks();

  using Copy = stacks::CallStacks::StackCopy;  // valid until the next copy()
  // Asks for a copy of the registers and the stack of a thread of this process. `place` is the
  // thread's place among the watched threads. Returns whether Linux will make the copy.
  bool ask(std::size_t place, std::uint32_t thread) noexcept;
  // Returns the copy for the last ask() with this `place`. Waits for the copy for at most
  // `patience`. Returns nothing if the thread does not run in user mode in this time. If the thread
  // first waits for a processor, Linux makes the copy after this wait. The stack does not change
  // during the wait.
  std::optional<Copy> copy(std::size_t place, std::chrono::nanoseconds patience) noexcept;
  // Closes the clock of a thread.
  void forget(std::size_t place) noexcept;

 private:
  struct Clock {
    int file = -1;
    std::uint64_t id = 0;  // the kernel's unique id of this clock
    std::uint32_t thread = 0;
    void* shared = nullptr;
  };

  static bool open(Clock& clock, std::uint32_t thread) noexcept;
  static void close(Clock& clock) noexcept;
  std::optional<Copy> read(const Clock& clock) noexcept;

  std::array<Clock, most> clocks_;
  std::array<std::byte, 16 * 1024> record_;
};

// Copies the stack of a thread of this process that waits in the kernel. The thread's stack pointer
// and instruction are known from /proc/self/task/ID/syscall, and do not change while it waits. The
// thread is not stopped. rbp is not known. If the caller of a frame can be found only by rbp, the
// stack ends with this frame. Only the sampler's thread uses this class.
class WaitingStack {
 public:
  using Copy = stacks::CallStacks::StackCopy;  // valid until the next copy()
  // Returns the registers and the innermost part of the stack of a thread. `waiting` is the wait in
  // which the thread was sampled. Returns nothing if, after the copy, the thread runs or is in
  // another wait.
  std::optional<Copy> copy(const ThreadFiles& thread, const Waiting& waiting) noexcept;

 private:
  std::array<std::byte, 8192> stack_;  // as much as Unwinder::walk_copy() uses
};

}  // namespace lapscope::host_samples

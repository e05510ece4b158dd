#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "collector/host_samples/thread_files.h"
#include "collector/stacks/call_stacks.h"

namespace lapscope::host_samples {

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

#include "collector/host_samples/waiting_stack.h"

#include <span>

#include "collector/stacks/own_memory.h"

namespace lapscope::host_samples {

std::optional<WaitingStack::Copy> WaitingStack::copy(const ThreadFiles& thread,
                                                     const Waiting& waiting) noexcept {
  const std::size_t size =
      stacks::OwnMemory().read(waiting.stack_pointer, stack_.data(), stack_.size());
  // The thread may have run while its stack was copied. If it waits in the same system call with
  // the same stack pointer as before, its stack is very probably unchanged.
  if (size == 0 || thread.waiting() != waiting) return std::nullopt;
  Copy copy;
  copy.registers.ip = waiting.instruction;
  copy.registers.sp = waiting.stack_pointer;
  copy.stack = std::span(stack_).first(size);
  return copy;
}

}  // namespace lapscope::host_samples

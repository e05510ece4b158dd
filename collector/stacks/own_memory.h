#pragma once

#include <sys/uio.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "collector/process/lasting_array.h"
#include "collector/process/thread_number.h"

// Memory access for code that runs inside any CUDA call of any program. The functions do not use
// the program's allocator. If they read unmapped memory, no fault occurs.
namespace lapscope::stacks {

using process::LastingArray;
using process::Taken;

// Reads this process's memory with a system call, because a broken stack may point to unmapped
// memory. The system call identifies the process by the id of the calling thread, because this id
// is valid even after the main thread has ended. Do not use OwnMemory in forked children: there,
// own_thread() returns the id of the parent's thread.
class OwnMemory {
 public:
  constexpr OwnMemory() noexcept {}

  static pid_t own_thread() noexcept {
    return static_cast<pid_t>(process::thread_id_before_fork());
  }

  // Copies `size` bytes from `address`. Stops at the first byte that cannot be read. Returns the
  // number of bytes copied.
  std::size_t read(std::uintptr_t address, void* to, std::size_t size) const noexcept {
    const iovec local{to, size};
    const iovec remote{reinterpret_cast<void*>(address), size};
    const ssize_t count = ::process_vm_readv(own_thread(), &local, 1, &remote, 1, 0);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
  }

  template <class T>
  bool read(std::uintptr_t address, T& value) const noexcept {
    return read(address, &value, sizeof value) == sizeof value;
  }
};

// Spreads the bits of a number (splitmix64).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace lapscope::stacks

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "collector/stacks/own_memory.h"
#include "collector/stacks/unwind_rules.h"

namespace lapscope::stacks {

// The registers that a walk begins with.
struct Registers {
  std::uintptr_t ip = 0;
  std::uintptr_t sp = 0;
  std::uintptr_t bp = 0;
};

// Returns the registers of the function that registers_here() is inlined into.
[[gnu::always_inline]] inline Registers registers_here() {
  Registers registers;
#if defined(__x86_64__)
  asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
               : "=r"(registers.ip), "=r"(registers.sp), "=r"(registers.bp));
#endif
  return registers;
}

// The memory that a walk needs. It is too large for the stack of a program's thread.
struct WalkRoom {
  std::uintptr_t window_begin = 0;
  std::uintptr_t window_end = 0;
  struct Seen {
    LoadedObject object;
    bool is_used = false;  // in this walk
  };
  std::array<Seen, 14> objects;  // of this walk and the last one, except lasting ones
  std::size_t object_count = 0;
  // True if the window contains all of the stack that can be read.
  bool is_all = false;
  // A copy of the stack, from window_begin to window_end. The copy may contain memory behind the
  // end of the stack, which nothing uses. To read it is harmless, because the system call does not
  // copy mapped device registers.
  alignas(16) std::array<std::byte, 8192> window;
  alignas(16) std::array<std::byte, 8192> tables;  // `room` of find_rule()
};

// Walks the stack of the calling thread, or a copy of another thread's stack. Uses the unwind
// tables of loaded objects, and frame pointers in code without tables. Takes no lock, allocates
// nothing, and reads with system calls, so a broken stack ends the walk and cannot crash the
// program. Stores the unwind rules for later walks of all threads.
//
// libgcc's _Unwind_Backtrace would read any address that a broken stack points to. libunwind takes
// the loader's lock (dl_iterate_phdr) for each new address.
class Unwinder {
 public:
  explicit Unwinder(const OwnMemory& memory) noexcept;

  struct Frame {
    std::uintptr_t address = 0;  // return address; of the first frame, its instruction
    LoadedObject object;         // all zero: none
  };
  struct Walk {
    std::size_t frames = 0;
    bool is_whole = false;    // reaches the first function of the thread
    bool is_stopped = false;  // has met a frame in `stop`
  };
  // Walks from the frame of the registers up to, but not including, the first frame in `stop`. If
  // the walk breaks off, drops the outermost frames that lie in no loaded object. The address of
  // such a frame may be an arbitrary word of the stack.
  Walk walk(Registers from, process::AddressRange stop, std::span<Frame> frames,
            WalkRoom& room) noexcept;
  // Like walk(), but for another thread. `stack` is a copy of the thread's stack that begins at the
  // stack pointer. The walk uses only the copy, because the thread may have changed its stack since
  // the copy was made. The walk ends where the copy ends.
  Walk walk_copy(Registers from, std::span<const std::byte> stack, process::AddressRange stop,
                 std::span<Frame> frames, WalkRoom& room) noexcept;

 private:
  Walk walk_to_end(Registers from, process::AddressRange stop, std::span<Frame> frames,
                   WalkRoom& room) noexcept;
  Walk walk_on(Registers from, process::AddressRange stop, std::span<Frame> frames,
               WalkRoom& room) noexcept;
  void read_ahead(std::uintptr_t stack, std::size_t size, WalkRoom& room) const noexcept;
  std::optional<LoadedObject> object_at(std::uintptr_t address, WalkRoom& room) const noexcept;
  struct Lasting {
    std::uintptr_t link_map = 0;
    process::AddressRange tables;  // the segment with its unwind tables
  };
  // Returns the object's entry in lasting_; null if the object may be unloaded.
  const Lasting* lasting(const LoadedObject& object) const noexcept;
  UnwindRule rule_for(std::uintptr_t instruction, const LoadedObject& object,
                      WalkRoom& room) noexcept;
  bool word(std::uintptr_t address, std::uintptr_t& value, WalkRoom& room) const noexcept;
  bool step_by_rule(const UnwindRule& rule, Registers& registers, WalkRoom& room) const noexcept;
  bool step_by_frame_pointer(Registers& registers, WalkRoom& room) const noexcept;

  const OwnMemory& memory_;
  KnownWords known_;
  // The objects that are never unloaded: the program, the C library, and the library that contains
  // this code.
  std::array<Lasting, 3> lasting_{};
};

}  // namespace lapscope::stacks

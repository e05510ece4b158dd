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

// Where a walk begins.
struct Registers {
  std::uintptr_t ip = 0;
  std::uintptr_t sp = 0;
  std::uintptr_t bp = 0;
};

// The registers of the function that it is inlined into.
[[gnu::always_inline]] inline Registers registers_here() {
  Registers registers;
#if defined(__x86_64__)
  asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
               : "=r"(registers.ip), "=r"(registers.sp), "=r"(registers.bp));
#endif
  return registers;
}

// What a walk needs room for: too much for the stack of a thread of the program.
struct WalkRoom {
  std::uintptr_t window_begin = 0;
  std::uintptr_t window_end = 0;
  struct Seen {
    LoadedObject object;
    bool is_used = false;  // in this walk
  };
  std::array<Seen, 14> objects;  // of this walk and of the one before, but lasting ones
  std::size_t object_count = 0;
  // The window is the whole stack.
  bool is_all = false;
  // A copy of the stack there. It may reach beyond the stack's end: the kernel copies what memory
  // is there, and no registers of devices, and nothing reads that part.
  alignas(16) std::array<std::byte, 8192> window;
  alignas(16) std::array<std::byte, 8192> tables;  // see find_rule
};

// Walks the stack of the thread that it is called in, or a copy of another's, by the unwind tables
// of what is loaded, and by frame pointers through code that has none. Takes no lock, allocates
// nothing, and reads the stack through the kernel: a broken one ends the walk and nothing else.
// Rules are kept by return address, for all threads.
//
// Not libgcc's _Unwind_Backtrace, which reads anything that a broken stack points to, nor
// libunwind, which takes the loader's lock (dl_iterate_phdr) for each address that is new to it.
class Unwinder {
 public:
  explicit Unwinder(const OwnMemory& memory) noexcept;

  struct Frame {
    std::uintptr_t address = 0;  // behind the call, but of the first frame
    LoadedObject object;         // all zero: none
  };
  struct Walk {
    std::size_t frames = 0;
    bool is_whole = false;  // to the first function of the thread
    bool is_stopped = false;
  };
  // Walks from the frame that the registers belong to, up to the first frame in the range, which is
  // not part of the walk. Addresses in no object are frames if the walk comes back into one, or to
  // its end: others may be whatever the stack had there.
  Walk walk(Registers from, process::AddressRange stop, std::span<Frame> frames,
            WalkRoom& room) noexcept;
  // The same, of another thread: by a copy of its stack from the stack pointer on, which it need
  // not have any more. The walk ends where the copy does.
  Walk walk_copy(Registers from, std::span<const std::byte> stack, process::AddressRange stop,
                 std::span<Frame> frames, WalkRoom& room) noexcept;

 private:
  // Written and read without a lock: a rule that is mixed from two does not fit its key.
  struct Kept {
    std::atomic<std::uint64_t> key_and_rule;
    std::atomic<std::uint64_t> rule;
  };
  static constexpr std::size_t kept_rules = std::size_t{1} << 14U;  // of 16 bytes

  Walk walk_to_end(Registers from, process::AddressRange stop, std::span<Frame> frames,
                   WalkRoom& room) noexcept;
  Walk walk_on(Registers from, process::AddressRange stop, std::span<Frame> frames,
               WalkRoom& room) noexcept;
  void read_ahead(std::uintptr_t stack, WalkRoom& room) const noexcept;
  std::optional<LoadedObject> object_at(std::uintptr_t address, WalkRoom& room) const noexcept;
  struct Lasting {
    std::uintptr_t link_map = 0;
    process::AddressRange tables;  // where it has its unwind tables
  };
  // What is never unloaded; null when this may be.
  const Lasting* lasting(const LoadedObject& object) const noexcept;
  UnwindRule rule_for(std::uintptr_t instruction, const LoadedObject& object,
                      WalkRoom& room) noexcept;
  bool word(std::uintptr_t address, std::uintptr_t& value, WalkRoom& room) const noexcept;
  bool step_by_rule(const UnwindRule& rule, Registers& registers, WalkRoom& room) const noexcept;
  bool step_by_frame_pointer(Registers& registers, WalkRoom& room) const noexcept;

  const OwnMemory& memory_;
  LastingArray<Kept> rules_;
  // The program, the C library and the object of this code.
  std::array<Lasting, 3> lasting_{};
};

}  // namespace lapscope::stacks

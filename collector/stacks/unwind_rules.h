#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "collector/stacks/own_memory.h"

namespace lapscope::stacks {

// How to get from a frame to its caller's, at one instruction. "CFA" is DWARF's word for what the
// stack pointer was before the call; the return address lies right below it.
struct UnwindRule {
  enum class Cfa : std::uint8_t {
    unknown,
    from_rsp,     // rsp + cfa_offset
    from_rbp,     // rbp + cfa_offset
    at_rbp,       // the word at rbp + cfa_offset: functions that align their stack
    outermost,    // nobody called: the first function of a thread
    interrupted,  // a signal was handled: nobody walks further
  };
  enum class Rbp : std::uint8_t {
    same,
    at_cfa,  // saved at CFA + rbp_offset
    at_rbp,  // saved at rbp + rbp_offset
  };
  Cfa cfa = Cfa::unknown;
  Rbp rbp = Rbp::same;
  std::int32_t cfa_offset = 0;
  std::int32_t rbp_offset = 0;

  friend bool operator==(const UnwindRule&, const UnwindRule&) = default;
};

// A loaded object, as glibc's _dl_find_object tells it: without a lock, in any thread.
struct LoadedObject {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uintptr_t eh_frame_header = 0;  // 0: it has no unwind tables
  std::uintptr_t link_map = 0;
};
std::optional<LoadedObject> loaded_object(std::uintptr_t address) noexcept;

// Looks the rule for an instruction up in the unwind tables of its object. Some 20 reads, of 1 us
// each: whoever walks keeps what it finds. `room` is for parts of the table.
UnwindRule find_rule(std::uintptr_t instruction, const LoadedObject& object,
                     const OwnMemory& memory, std::span<std::byte> room) noexcept;

}  // namespace lapscope::stacks

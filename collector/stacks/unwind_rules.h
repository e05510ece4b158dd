#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "collector/process/address_range.h"
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
    outermost,    // no caller: the first function of a thread
    interrupted,  // a signal was handled: no walk goes further
  };
  enum class Rbp : std::uint8_t {
    same,
    at_cfa,  // saved at CFA + rbp_offset
    at_rbp,  // saved at rbp + rbp_offset
    lost,    // not known: a frame further out that needs it ends the walk
  };
  Cfa cfa = Cfa::unknown;
  Rbp rbp = Rbp::same;
  std::int32_t cfa_offset = 0;
  std::int32_t rbp_offset = 0;

  friend bool operator==(const UnwindRule&, const UnwindRule&) = default;
};

// A loaded object, as glibc's _dl_find_object reports it: without a lock, in any thread.
struct LoadedObject {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uintptr_t eh_frame_header = 0;  // 0: it has no unwind tables
  std::uintptr_t link_map = 0;
  std::uint64_t content = 0;  // see content_in; 0 if it was not asked for

  // A library may be loaded where another one was, with all its parts at the same places.
  bool is_same(const LoadedObject& other) const {
    return is_at_place_of(other) && content == other.content;
  }
  bool is_at_place_of(const LoadedObject& other) const {
    return begin == other.begin && end == other.end && eh_frame_header == other.eh_frame_header;
  }
};
std::optional<LoadedObject> loaded_object(std::uintptr_t address) noexcept;

// Bytes that distinguish an object from others that are loaded at its place before or after it:
// behind the first seven program headers, which no library has fewer of. Linkers put the build id
// there, and the names of functions.
inline constexpr std::uintptr_t content_offset = 456;
inline constexpr std::size_t content_size = 544;
// A hash of them.
std::uint64_t content_in(std::span<const std::byte, content_size> bytes) noexcept;

// Looks the rule for an instruction up in the unwind tables of its object: in up to 20 reads of 1
// us each, but for what lies in `lasting`, which is there as long as the process and read as it is.
// Whoever walks keeps what it finds. `room` is for parts of the table.
UnwindRule find_rule(std::uintptr_t instruction, const LoadedObject& object,
                     process::AddressRange lasting, const OwnMemory& memory,
                     std::span<std::byte> room) noexcept;

}  // namespace lapscope::stacks

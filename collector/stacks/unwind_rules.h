#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "collector/process/address_range.h"
#include "collector/stacks/own_memory.h"

namespace lapscope::stacks {

// How a walk gets from the frame of a function to the frame of its caller. The rule is for one
// instruction of the function. The CFA (DWARF's "Canonical Frame Address") is the value of the
// stack pointer before the function was called. The return address lies right below the CFA.
struct UnwindRule {
  enum class Cfa : std::uint8_t {
    unknown,
    from_rsp,     // rsp + cfa_offset
    from_rbp,     // rbp + cfa_offset
    at_rbp,       // the word at rbp + cfa_offset, in functions that align their stack
    outermost,    // no caller: the first function of a thread
    interrupted,  // the frame of a signal handler: the walk ends
  };
  enum class Rbp : std::uint8_t {
    same,
    at_cfa,  // saved at CFA + rbp_offset
    at_rbp,  // saved at rbp + rbp_offset
    lost,    // unknown: the walk ends at the next frame that needs it
  };
  Cfa cfa = Cfa::unknown;
  Rbp rbp = Rbp::same;
  std::int32_t cfa_offset = 0;
  std::int32_t rbp_offset = 0;

  friend bool operator==(const UnwindRule&, const UnwindRule&) = default;
};

// A loaded program or library. loaded_object() uses glibc's _dl_find_object() to find the object at
// an address. loaded_object() takes no lock and may be called in any thread.
struct LoadedObject {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uintptr_t eh_frame_header = 0;  // 0: the object has no unwind tables
  std::uintptr_t link_map = 0;
  std::uint64_t content = 0;  // see content_in(); 0 if it was not read

  // Compares the contents, too, because a library may be loaded at exactly the addresses of an
  // unloaded library.
  bool is_same(const LoadedObject& other) const {
    return is_at_place_of(other) && content == other.content;
  }
  bool is_at_place_of(const LoadedObject& other) const {
    return begin == other.begin && end == other.end && eh_frame_header == other.eh_frame_header;
  }
};
std::optional<LoadedObject> loaded_object(std::uintptr_t address) noexcept;

// An object is recognized by `content_size` bytes at this offset from the beginning of the object.
// The bytes follow the first seven program headers. Every library has at least seven program
// headers. Linkers put the build id and the names of functions behind the headers. So if two
// objects are loaded at the same address at different times, these bytes differ.
inline constexpr std::uintptr_t content_offset = 456;
inline constexpr std::size_t content_size = 544;
std::uint64_t content_in(std::span<const std::byte, content_size> bytes) noexcept;

// A table of 8-byte words by key_of(). A word is an unwind rule of an instruction, or 8 bytes of an
// unwind table. Read and written without a lock. If two threads write at the same time, parts of
// two entries may mix. find() does not return a mixed word, because the word does not match its
// key.
class KnownWords {
 public:
  // The key has the content of the object, because one library may be loaded where another library
  // was unloaded.
  static std::uint64_t key_of(std::uintptr_t address, const LoadedObject& object) noexcept {
    const std::uint64_t place = object.begin ^ mixed(object.eh_frame_header ^ object.end);
    return mixed(address ^ mixed(place ^ object.content));
  }
  std::optional<std::uint64_t> find(std::uint64_t key) const noexcept;
  void add(std::uint64_t key, std::uint64_t word) noexcept;

 private:
  struct Kept {
    std::atomic<std::uint64_t> key_and_word;
    std::atomic<std::uint64_t> word;
  };
  LastingArray<Kept> kept_{std::size_t{1} << 14U, Taken::at_once};
};

// Finds the rule for an instruction in the unwind tables of its object. The caller should keep the
// rule, because a search makes at least 3 system calls of 1 us each. It makes one more system call
// for each word that it needs and that is not in `known`, at most 17. Adds these words to `known`.
// The range `lasting` is read without system calls, because it is never unmapped. `room` is memory
// for parts of the table.
UnwindRule find_rule(std::uintptr_t instruction, const LoadedObject& object,
                     process::AddressRange lasting, const OwnMemory& memory, KnownWords& known,
                     std::span<std::byte> room) noexcept;

}  // namespace lapscope::stacks

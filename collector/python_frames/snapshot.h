#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "collector/process/signals_blocked.h"

namespace lapscope::python_frames {

// Pages are as large, or larger by a factor.
inline constexpr std::uintptr_t page_size = 4096;

// Memory of this process that may not be there.
struct Place {
  std::uintptr_t address = 0;
  std::uint32_t size = 0;
};

// This process, as the kernel identifies the one to copy in, for one thread and for a short time. A
// number that is kept goes wrong in a forked child, where it is the parent's. So no signal handler
// runs in this thread meanwhile: a handler may fork, and may end the thread.
class OwnProcess {
 public:
  OwnProcess() noexcept;
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;

 private:
  friend std::size_t copy_memory(const OwnProcess&, std::span<const Place>,
                                 std::span<std::byte>) noexcept;
  const process::SignalsBlocked blocked_{process::SignalsBlocked::Which::all_but_faults};
  const long thread_;
};

// Copies what can be read, place after place, and returns how many places could be, up to the first
// that could not. The kernel copies: an address that cannot be read is an answer, never a signal.
std::size_t copy_memory(const OwnProcess& process, std::span<const Place> places,
                        std::span<std::byte> to) noexcept;

template <typename T>
T value_in(const std::byte* bytes, std::size_t offset) noexcept {
  T value;
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}

// What a walk through memory reads. Asking the kernel takes a microsecond, and each place more some
// 20 ns: what the walk before asked for is therefore fetched at once when the next begins, as
// walks mostly resemble each other. Members are for one thread at a time.
class Snapshot {
 public:
  // Forgets what was read before. The process must last until end().
  void begin(const OwnProcess& process) noexcept;
  // From here on nothing can be read until the next begin().
  void end() noexcept { process_ = nullptr; }

  // `size` bytes at an address, until the next begin(); null where they cannot be read. Where the
  // kernel must be asked, up to `before` bytes in front of them are fetched, too: they may be next.
  const std::byte* at(std::uintptr_t address, std::uint32_t size,
                      std::uint32_t before = 0) noexcept;

  // Reads those of the places that were not read yet, together.
  void fetch(std::span<const Place> places) noexcept;

  // copy_memory(), of what is not to be kept.
  std::size_t copy(std::span<const Place> places, std::span<std::byte> to) noexcept {
    return process_ ? copy_memory(*process_, places, to) : 0;
  }

  // For the walk that follows to begin as the first one does.
  void forget() noexcept { asked_count_ = 0; }

 private:
  static constexpr std::size_t most_places = 512;
  static constexpr std::size_t most_bytes = 96 * 1024;

  struct Piece : Place {
    std::uint32_t offset = 0;   // in bytes_
    bool is_asked_for = false;  // the next time, just so
  };

  Piece* find(std::uintptr_t address, std::uint32_t size) noexcept;
  // Is null where a piece of that number does not have these bytes.
  Piece* piece_with(std::size_t number, std::uintptr_t address, std::uint32_t size) noexcept;
  void add(std::span<const Place> places) noexcept;
  void ask_next_time(const Place& place) noexcept;

  const OwnProcess* process_ = nullptr;
  std::array<Piece, most_places> pieces_;
  std::size_t count_ = 0;
  std::size_t next_ = 0;                                   // which piece is looked at first
  std::size_t used_ = 0;                                   // of bytes_
  std::array<std::uint16_t, 2 * most_places> by_address_;  // numbers of pieces and 1, by a hash
  std::array<std::uint16_t, 64> wide_;  // numbers of pieces that have more than was asked for
  std::size_t wide_count_ = 0;
  std::array<Place, most_places> asked_;
  std::size_t asked_count_ = 0;
  std::array<Place, most_places> asking_;
  std::array<std::byte, most_bytes> bytes_;
};

}  // namespace lapscope::python_frames

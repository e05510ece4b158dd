#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "collector/process/signals_blocked.h"

namespace lapscope::python_frames {

// The smallest page size in bytes. Larger page sizes are multiples of this size.
inline constexpr std::uintptr_t page_size = 4096;

// A range of addresses in this process. The range need not be mapped.
struct Place {
  std::uintptr_t address = 0;
  std::uint32_t size = 0;
};

// Identifies this process for copy_memory(). Only one thread may use the object, and only for a
// short time. While the object exists, signals are blocked in this thread. Otherwise, a signal
// handler might end the thread, or fork: the child would use the id of its parent.
class OwnProcess {
 public:
  OwnProcess() noexcept;
  // This constructor does not block signals. It is for a thread that blocks the program's signals
  // from its begin to its end. The object may exist as long as the thread.
  struct SignalsAreBlocked {};
  explicit OwnProcess(SignalsAreBlocked) noexcept;
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;

 private:
  friend std::size_t copy_memory(const OwnProcess&, std::span<const Place>,
                                 std::span<std::byte>) noexcept;
  std::optional<process::SignalsBlocked> blocked_;
  const long thread_;
};

// Copies the places into `to`, one after the other. Stops at the first place that cannot be read.
// Returns the number of places copied. A system call does the copying, so an unreadable address
// causes no signal.
std::size_t copy_memory(const OwnProcess& process, std::span<const Place> places,
                        std::span<std::byte> to) noexcept;

template <typename T>
T value_in(const std::byte* bytes, std::size_t offset) noexcept {
  T value;
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}

// The memory that a walk reads. A system call takes 1 us, plus 20 ns for each place that it reads.
// A walk mostly asks for the same places as the previous walk. So begin() fetches all places of the
// previous walk together. Only one thread may use the object at a time.
class Snapshot {
 public:
  // Begins a walk. Discards what the previous walk read, and reads the same places again. `process`
  // must live until end().
  void begin(const OwnProcess& process) noexcept;
  // Ends the walk. Nothing can be read before the next begin().
  void end() noexcept { process_ = nullptr; }

  // Returns a copy of the `size` bytes at an address; null if the bytes cannot be read. The copy is
  // valid until the next begin(). If at() needs a system call, the call also fetches up to `before`
  // bytes in front of the address. Those bytes may be needed next.
  const std::byte* at(std::uintptr_t address, std::uint32_t size,
                      std::uint32_t before = 0) noexcept;

  // Reads those places that this walk has not read yet, all with one system call if possible.
  void fetch(std::span<const Place> places) noexcept;

  // Calls copy_memory() without keeping the result.
  std::size_t copy(std::span<const Place> places, std::span<std::byte> to) noexcept {
    return process_ ? copy_memory(*process_, places, to) : 0;
  }

  // Forgets the places that the next begin() would fetch.
  void forget() noexcept { asked_count_ = 0; }

 private:
  static constexpr std::size_t most_places = 512;
  static constexpr std::size_t most_bytes = 96 * 1024;

  struct Piece : Place {
    std::uint32_t offset = 0;   // in bytes_
    bool is_asked_for = false;  // whether begin() of the next walk fetches this piece
  };

  Piece* find(std::uintptr_t address, std::uint32_t size) noexcept;
  // Returns the piece with the index `number`; null if the piece does not contain these bytes.
  Piece* piece_with(std::size_t number, std::uintptr_t address, std::uint32_t size) noexcept;
  void add(std::span<const Place> places) noexcept;
  void ask_next_time(const Place& place) noexcept;

  const OwnProcess* process_ = nullptr;
  std::array<Piece, most_places> pieces_;
  std::size_t count_ = 0;
  std::size_t next_ = 0;                                   // index of the piece to try first
  std::size_t used_ = 0;                                   // bytes of bytes_ in use
  std::array<std::uint16_t, 2 * most_places> by_address_;  // index of piece + 1, by address hash
  std::array<std::uint16_t, 64> wide_;  // indices of pieces with extra bytes in front
  std::size_t wide_count_ = 0;
  std::array<Place, most_places> asked_;
  std::size_t asked_count_ = 0;
  std::array<Place, most_places> asking_;
  std::array<std::byte, most_bytes> bytes_;
};

}  // namespace lapscope::python_frames

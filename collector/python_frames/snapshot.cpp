#include "collector/python_frames/snapshot.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "collector/process/thread_number.h"

namespace lapscope::python_frames {
namespace {

// Bounds of user-space addresses on x86-64 and AArch64. If a single address lay outside, the Linux
// kernel would refuse the whole system call.
constexpr std::uintptr_t first_address = 4096;
constexpr std::uintptr_t end_of_addresses = std::uintptr_t{1} << 47;
constexpr std::size_t places_a_call = 128;

std::size_t slot_of(std::uintptr_t address) { return address * 0x9e3779b97f4a7c15u >> 40; }

bool may_be_memory(const Place& place) {
  return place.address >= first_address && place.address < end_of_addresses &&
         place.size <= end_of_addresses - place.address;
}

}  // namespace

// Stores the id of this thread, which the system call accepts in place of the process id. Unlike
// the process id, it is valid even after the main thread has ended.
OwnProcess::OwnProcess() noexcept
    : blocked_(std::in_place, process::SignalsBlocked::Which::all_but_faults),
      thread_(process::thread_id()) {}

OwnProcess::OwnProcess(SignalsAreBlocked) noexcept : thread_(process::thread_id()) {}

// Copies with process_vm_writev, from a local side to a remote side. Here, both sides are this
// process. Linux takes 20 ns for each place on the local side, but 400 ns for each place on the
// remote side, whose pages it pins. The many `places` are therefore the local side. The remote side
// is a single place, the buffer `to`. process_vm_readv copies in the other direction. Sanitizers
// would check the addresses that the library's function gets, so the code uses syscall().
std::size_t copy_memory(const OwnProcess& process, std::span<const Place> places,
                        std::span<std::byte> to) noexcept {
  std::array<iovec, places_a_call> from;
  std::size_t copied = 0;
  std::size_t used = 0;
  while (copied < places.size()) {
    std::size_t count = 0;
    std::size_t size = 0;
    for (; count < from.size() && copied + count < places.size(); ++count) {
      const Place& place = places[copied + count];
      if (!may_be_memory(place) || place.size > to.size() - used - size) break;
      from[count] = {reinterpret_cast<void*>(place.address), place.size};
      size += place.size;
    }
    if (count == 0) return copied;
    const iovec into{to.data() + used, size};
    const long got = ::syscall(SYS_process_vm_writev, process.thread_, from.data(), count, &into,
                               std::size_t{1}, 0ul);
    if (got < 0) return copied;
    if (static_cast<std::size_t>(got) < size) {
      for (auto left = static_cast<std::size_t>(got); left >= places[copied].size; ++copied) {
        left -= places[copied].size;
      }
      return copied;
    }
    copied += count;
    used += size;
    // The next place cannot be read.
    if (count < from.size() && copied < places.size()) return copied;
  }
  return copied;
}

void Snapshot::begin(const OwnProcess& process) noexcept {
  process_ = &process;
  count_ = next_ = used_ = wide_count_ = 0;
  by_address_.fill(0);
  const std::size_t count = std::exchange(asked_count_, 0);
  add({asked_.data(), count});
}

// Reads and stores the places up to the first one that cannot be read. at() reads the places after
// it when they are needed.
void Snapshot::add(std::span<const Place> places) noexcept {
  places = places.first(std::min(places.size(), most_places - count_));
  const std::size_t copied = copy(places, std::span(bytes_).subspan(used_));
  for (const Place& place : places.first(copied)) {
    pieces_[count_++] = {place, static_cast<std::uint32_t>(used_), false};
    used_ += place.size;
    std::size_t slot = slot_of(place.address);
    while (by_address_[slot % by_address_.size()] != 0) ++slot;
    by_address_[slot % by_address_.size()] = static_cast<std::uint16_t>(count_);
  }
}

Snapshot::Piece* Snapshot::piece_with(std::size_t number, std::uintptr_t address,
                                      std::uint32_t size) noexcept {
  Piece& piece = pieces_[number];
  const bool is_in = piece.address <= address && address - piece.address <= piece.size &&
                     size <= piece.size - (address - piece.address);
  if (!is_in) return nullptr;
  next_ = number + 1;
  return &piece;
}

// Returns the piece that contains these bytes, or null. First tries the piece that follows the
// previous result, because successive walks mostly ask for the same pieces in the same order.
Snapshot::Piece* Snapshot::find(std::uintptr_t address, std::uint32_t size) noexcept {
  if (next_ < count_) {
    if (Piece* piece = piece_with(next_, address, size)) return piece;
  }
  for (std::size_t slot = slot_of(address);; ++slot) {
    const std::size_t number = by_address_[slot % by_address_.size()];
    if (number == 0) break;
    if (pieces_[number - 1].address != address) continue;
    if (Piece* piece = piece_with(number - 1, address, size)) return piece;
  }
  for (std::size_t i = 0; i < wide_count_; ++i) {
    if (Piece* piece = piece_with(wide_[i], address, size)) return piece;
  }
  return nullptr;
}

void Snapshot::ask_next_time(const Place& place) noexcept {
  if (asked_count_ < asked_.size()) asked_[asked_count_++] = place;
}

const std::byte* Snapshot::at(std::uintptr_t address, std::uint32_t size,
                              std::uint32_t before) noexcept {
  Piece* piece = find(address, size);
  if (!piece) {
    // Reads nothing before the page of the address, because the previous page might be unmapped.
    before = static_cast<std::uint32_t>(std::min<std::uintptr_t>(before, address % page_size));
    const Place place{address - before, size + before};
    const std::size_t known = count_;
    add({&place, 1});
    if (count_ == known) return nullptr;
    piece = &pieces_[known];
    if (before > 0 && wide_count_ < wide_.size()) {
      wide_[wide_count_++] = static_cast<std::uint16_t>(known);
    }
  }
  const bool is_all_of_it = piece->address == address && piece->size == size;
  if (!is_all_of_it || !std::exchange(piece->is_asked_for, true)) ask_next_time({address, size});
  return bytes_.data() + piece->offset + (address - piece->address);
}

void Snapshot::fetch(std::span<const Place> places) noexcept {
  std::size_t count = 0;
  const std::size_t begin = next_;
  for (const Place& place : places) {
    if (count < asking_.size() && !find(place.address, place.size)) asking_[count++] = place;
  }
  next_ = begin;
  const std::size_t known = count_;
  if (count > 0) add({asking_.data(), count});
  if (count_ > known && count == places.size()) next_ = known;
}

}  // namespace lapscope::python_frames

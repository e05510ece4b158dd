#include "collector/host_samples/stack_copies.h"

#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "collector/process/thread_clock.h"
#include "collector/stacks/own_memory.h"

namespace lapscope::host_samples {
namespace {

using process::thread_clock_page;
using process::thread_clock_ring;

constexpr std::size_t registers_copied = 3;

bool is_of(int file, std::uint64_t id) noexcept {
  std::uint64_t found = 0;
  return ::ioctl(file, PERF_EVENT_IOC_ID, &found) == 0 && found == id;
}

// Returns whether the shared memory of a clock has a record that was not read yet.
bool has_record(void* shared) noexcept {
  const auto* head = static_cast<perf_event_mmap_page*>(shared);
  return __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE) != head->data_tail;
}

template <class T>
T value_at(std::span<const std::byte> bytes, std::size_t offset) noexcept {
  T value{};
  if (offset + sizeof value <= bytes.size()) {
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  }
  return value;
}

}  // namespace

RunningStacks::~RunningStacks() {
  for (Clock& clock : clocks_) close(clock);
}

void RunningStacks::close(Clock& clock) noexcept {
  if (clock.shared) process::unshare_thread_clock(clock.shared);
  if (clock.file >= 0 && is_of(clock.file, clock.id)) ::close(clock.file);
  clock = {};
}

void RunningStacks::forget(std::size_t place) noexcept {
  if (place < clocks_.size()) close(clocks_[place]);
}

bool RunningStacks::open(Clock& clock, std::uint32_t thread) noexcept {
  close(clock);
  clock.file = process::open_thread_clock(thread);
  if (clock.file < 0) return false;
  clock.thread = thread;
  void* shared = MAP_FAILED;
  if (::ioctl(clock.file, PERF_EVENT_IOC_ID, &clock.id) == 0) {
    shared = process::share_thread_clock(clock.file);
  }
  if (shared == MAP_FAILED) {
    ::close(clock.file);
    clock = {};
    return false;
  }
  clock.shared = shared;
  return true;
}

bool RunningStacks::ask(std::size_t place, std::uint32_t thread) noexcept {
  if (place >= clocks_.size()) return false;
  Clock& clock = clocks_[place];
  if (clock.thread != thread && !open(clock, thread)) return false;
  if (::ioctl(clock.file, PERF_EVENT_IOC_REFRESH, 1) == 0) return true;
  close(clock);
  return false;
}

std::optional<RunningStacks::Copy> RunningStacks::copy(std::size_t place,
                                                       std::chrono::nanoseconds patience) noexcept {
  Clock& clock = clocks_[place];
  const timespec wait{0, std::clamp<long>(patience.count(), 0, 999'999'999)};
  pollfd ready{clock.file, POLLIN, 0};
  // The first ppoll() may return at once because of an earlier copy, which was read without
  // ppoll().
  for (int polls = 0; polls < 2 && !has_record(clock.shared); ++polls) {
    if (::ppoll(&ready, 1, &wait, nullptr) != 1) break;
  }
  if (const auto copy = read(clock)) return copy;
  // Linux may still write a record for this request later, and the next call of copy() would read
  // it. So close the clock. The next ask() opens a new clock.
  close(clock);
  return std::nullopt;
}

std::optional<RunningStacks::Copy> RunningStacks::read(const Clock& clock) noexcept {
  auto* head = static_cast<perf_event_mmap_page*>(clock.shared);
  const std::uint64_t end = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
  const std::uint64_t begin = head->data_tail;
  const std::size_t size = std::min<std::size_t>(end - begin, record_.size());
  const auto* ring = static_cast<const std::byte*>(clock.shared) + thread_clock_page;
  const std::size_t at = begin % thread_clock_ring;
  const std::size_t until_wrap = std::min(size, thread_clock_ring - at);
  std::memcpy(record_.data(), ring + at, until_wrap);
  std::memcpy(record_.data() + until_wrap, ring, size - until_wrap);
  __atomic_store_n(&head->data_tail, end, __ATOMIC_RELEASE);

  // After its header, the record has these parts: the ABI of the registers, the registers, the size
  // of the copied stack, this stack, and the number of its valid bytes.
  const std::span<const std::byte> record(record_.data(), size);
  constexpr std::size_t word = sizeof(std::uint64_t);
  const auto header = value_at<perf_event_header>(record, 0);
  std::size_t offset = sizeof header;
  const bool has_registers = value_at<std::uint64_t>(record, offset) == PERF_SAMPLE_REGS_ABI_64;
  if (header.type != PERF_RECORD_SAMPLE || !has_registers) return std::nullopt;
  offset += word;
  Copy copy;
  copy.registers.bp = value_at<std::uint64_t>(record, offset);
  copy.registers.sp = value_at<std::uint64_t>(record, offset + word);
  copy.registers.ip = value_at<std::uint64_t>(record, offset + 2 * word);
  offset += registers_copied * word;
  const auto room = value_at<std::uint64_t>(record, offset);
  offset += word;
  if (room > record.size() - offset) return std::nullopt;
  const auto copied = value_at<std::uint64_t>(record, offset + room);
  copy.stack = record.subspan(offset, std::min(copied, room));
  return copy;
}

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

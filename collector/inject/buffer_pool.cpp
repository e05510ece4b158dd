#include "collector/inject/buffer_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "collector/process/signals_blocked.h"

namespace lapscope::inject {
namespace {

std::uint8_t* map_buffer(int flags) noexcept {
  void* memory = ::mmap(nullptr, BufferPool::buffer_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // Leaves the buffers out of core dumps, which are for the program's own data.
  ::madvise(memory, BufferPool::buffer_size, MADV_DONTDUMP);
  return static_cast<std::uint8_t*>(memory);
}

}  // namespace

BufferPool::BufferPool() {
  slots_.reserve(most);  // acquire() must not allocate
  while (slots_.size() < prepared) {
    std::uint8_t* buffer = map_buffer(MAP_POPULATE);
    if (!buffer) break;
    slots_.push_back({buffer, false});
  }
}

// Runs in threads of the program. Signals are blocked while the lock is held. Otherwise, a signal
// handler could call exit() at this time. exit() waits for the writer's thread, which would wait
// for the lock.
std::uint8_t* BufferPool::acquire(bool bounded) noexcept {
  ever_used_.store(true, std::memory_order_release);
  const process::SignalsBlocked blocked(process::SignalsBlocked::Which::of_the_program);
  const std::lock_guard lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.out) continue;
    slot.out = true;
    return slot.data;
  }
  if (bounded && slots_.size() >= most) return nullptr;
  // New pages contain zeros. Linux allocates them only when CUPTI writes to them.
  std::uint8_t* buffer = map_buffer(0);
  if (!buffer) return nullptr;
  try {
    slots_.push_back({buffer, true});
  } catch (...) {
    ::munmap(buffer, buffer_size);
    return nullptr;
  }
  return buffer;
}

void BufferPool::release(std::uint8_t* buffer) noexcept {
  std::memset(buffer, 0, buffer_size);
  const std::lock_guard lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.data == buffer) slot.out = false;
  }
}

void BufferPool::trim() noexcept {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = prepared; i < slots_.size(); ++i) {
    // When the pages are used again, they contain zeros.
    if (!slots_[i].out) ::madvise(slots_[i].data, buffer_size, MADV_DONTNEED);
  }
}

bool BufferPool::is_out(const std::uint8_t* buffer) const noexcept {
  const process::SignalsBlocked blocked(process::SignalsBlocked::Which::of_the_program);
  const std::lock_guard lock(mutex_);
  return std::any_of(slots_.begin(), slots_.end(),
                     [buffer](const Slot& slot) { return slot.out && slot.data == buffer; });
}

std::size_t BufferPool::out() const noexcept {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.out; }));
}

}  // namespace lapscope::inject

#include "collector/inject/buffer_pool.h"

#include <sys/mman.h>

#include <cstring>

namespace lapscope::inject {
namespace {

std::uint8_t* map_buffer(int flags) noexcept {
  void* memory = ::mmap(nullptr, BufferPool::buffer_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(memory);
}

}  // namespace

BufferPool::BufferPool() {
  // Room for every buffer there may ever be, so that release() never allocates.
  free_.reserve(most);
  for (; mapped_ < prepared; ++mapped_) {
    std::uint8_t* buffer = map_buffer(MAP_POPULATE);
    if (!buffer) break;
    free_.push_back(buffer);
  }
}

std::uint8_t* BufferPool::acquire(bool bounded) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::uint8_t* buffer = free_.back();
      free_.pop_back();
      return buffer;
    }
    if (bounded && mapped_ >= most) return nullptr;
    ++mapped_;
  }
  // Fresh pages are zero; they are faulted in as CUPTI fills them.
  return map_buffer(0);
}

void BufferPool::release(std::uint8_t* buffer) noexcept {
  std::memset(buffer, 0, buffer_size);
  const std::lock_guard lock(mutex_);
  if (free_.size() < free_.capacity()) {
    free_.push_back(buffer);
    return;
  }
  ::munmap(buffer, buffer_size);
  --mapped_;
}

}  // namespace lapscope::inject

#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lapscope::process {

// The time at which the memory of an array is allocated.
enum class Taken : std::uint8_t {
  when_used,  // page by page; the first use of a page takes about a microsecond
  at_once,
};

// An array of zeroed elements in memory of its own (mmap), not from the program's allocator. The
// memory is never freed, because it is still used while static objects are destroyed at exit: CUPTI
// may call lapscope, and threads may walk stacks. The array is empty if mmap fails.
template <class T>
class LastingArray {
 public:
  explicit LastingArray(std::size_t count, Taken taken = Taken::when_used) noexcept {
    static_assert(std::is_trivially_destructible_v<T>);
    const int when = taken == Taken::at_once ? MAP_POPULATE : MAP_NORESERVE;
    void* place = ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | when, -1, 0);
    if (place == MAP_FAILED) return;
    data_ = static_cast<T*>(place);
    size_ = count;
  }
  LastingArray(const LastingArray&) = delete;
  LastingArray& operator=(const LastingArray&) = delete;

  // Zeroes the array in children made by fork().
  void wipe_on_fork() noexcept {
    if (size_ > 0) ::madvise(data_, size_ * sizeof(T), MADV_WIPEONFORK);
  }

  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace lapscope::process

#pragma once

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>

// Memory as code needs it that runs inside any call of CUDA of any program: nothing is taken from
// the program's allocator, and reading where nothing is, is no fault.
namespace lapscope::stacks {

// Reads this process's memory through the kernel: what a broken stack points to may not be there.
// By the number of the calling thread, which is there when the first thread has ended, too.
class OwnMemory {
 public:
  constexpr OwnMemory() noexcept {}

  // How many bytes could be read, from the first one on.
  std::size_t read(std::uintptr_t address, void* to, std::size_t size) const noexcept {
    const iovec local{to, size};
    const iovec remote{reinterpret_cast<void*>(address), size};
    const ssize_t count = ::process_vm_readv(::gettid(), &local, 1, &remote, 1, 0);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
  }

  template <class T>
  bool read(std::uintptr_t address, T& value) const noexcept {
    return read(address, &value, sizeof value) == sizeof value;
  }
};

// When an array takes its memory.
enum class Taken : std::uint8_t {
  when_used,  // page by page: each costs the thread that uses it first a microsecond
  at_once,
};

// An array of zeroed elements that is never given back: as long-lived as what CUPTI may call. Empty
// where the kernel refuses.
template <class T>
class LastingArray {
 public:
  explicit LastingArray(std::size_t count, Taken taken = Taken::when_used) noexcept {
    const int when = taken == Taken::at_once ? MAP_POPULATE : MAP_NORESERVE;
    void* place = ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | when, -1, 0);
    if (place == MAP_FAILED) return;
    data_ = static_cast<T*>(place);
    size_ = count;
  }
  LastingArray(const LastingArray&) = delete;
  LastingArray& operator=(const LastingArray&) = delete;

  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Spreads the bits of a number (splitmix64).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace lapscope::stacks

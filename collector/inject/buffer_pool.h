#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace lapscope::inject {

// A buffer that CUPTI has completed.
struct Completed {
  std::uint8_t* data;
  std::size_t valid;  // size of the part that CUPTI filled
};

// Zeroed, pre-faulted buffers for CUPTI's activity records. CUPTI asks for a buffer in the
// program's threads, in the middle of CUDA calls. So acquire() must take very little time. The
// writer's thread calls release(), which zeroes the buffer. Buffers are never unmapped, because
// CUPTI may use a buffer until the process ends. The class is thread-safe.
class BufferPool {
 public:
  static constexpr std::size_t buffer_size = std::size_t{2} << 20;
  static constexpr std::size_t prepared = 16;  // 32 MiB, resident from the start
  static constexpr std::size_t most = 256;     // 512 MiB, used if the writer falls far behind

  // Maps and faults in the prepared buffers. If memory is short, the pool works with fewer buffers.
  BufferPool();

  // Returns a buffer. Returns null if memory is short, or if `bounded` is true and `most` buffers
  // are in use.
  std::uint8_t* acquire(bool bounded) noexcept;

  void release(std::uint8_t* buffer) noexcept;

  // Gives the memory of free buffers back to the system, but keeps the memory of the first
  // `prepared` buffers. A buffer without memory gets new memory when it is used.
  void trim() noexcept;

  // Returns whether CUPTI got this buffer from this pool and has not returned it. CUPTI may also
  // deliver buffers of another CUPTI client in the process.
  bool is_out(const std::uint8_t* buffer) const noexcept;

  bool ever_used() const noexcept { return ever_used_.load(std::memory_order_acquire); }
  std::size_t out() const noexcept;

 private:
  struct Slot {
    std::uint8_t* data;
    bool out;
  };

  mutable std::mutex mutex_;
  std::vector<Slot> slots_;  // all buffers, whether in use or free
  std::atomic<bool> ever_used_{false};
};

}  // namespace lapscope::inject

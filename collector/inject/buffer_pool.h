#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace lapscope::inject {

// Zeroed, pre-faulted memory for CUPTI's activity buffers. CUPTI asks for a buffer in the program's
// own threads, in the middle of their CUDA calls, so acquiring one must cost next to nothing;
// zeroing is done when a buffer is given back, in the writer thread. Thread-safe. Buffers are never
// unmapped: CUPTI may hold one at any time until the process is gone.
class BufferPool {
 public:
  static constexpr std::size_t buffer_size = std::size_t{2} << 20;
  static constexpr std::size_t prepared = 16;  // 32 MiB, resident from the start
  static constexpr std::size_t most = 256;     // 512 MiB, if the writer falls far behind

  // Maps and faults in the prepared buffers. With fewer, should memory be short, the pool still
  // works.
  BufferPool();

  // Null when memory is short, or when `most` buffers are out and `bounded`.
  std::uint8_t* acquire(bool bounded) noexcept;

  // Zeroes the buffer and makes it available again.
  void release(std::uint8_t* buffer) noexcept;

  // Whether this buffer was handed out by this pool and has not been given back. Another CUPTI
  // client in the process can have its buffers delivered to us.
  bool is_out(const std::uint8_t* buffer) const noexcept;

  bool ever_used() const noexcept { return ever_used_.load(std::memory_order_acquire); }
  std::size_t out() const noexcept;

 private:
  struct Slot {
    std::uint8_t* data;
    bool out;
  };

  mutable std::mutex mutex_;
  std::vector<Slot> slots_;  // every buffer there is
  std::atomic<bool> ever_used_{false};
};

}  // namespace lapscope::inject

#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace lapscope::inject {

// Zeroed, pre-faulted memory for CUPTI's activity buffers. CUPTI asks for a buffer in the program's
// own threads, in the middle of their CUDA calls, so acquiring one must cost next to nothing;
// zeroing is done when a buffer is given back, in the writer thread. Thread-safe. Buffers are never
// freed: CUPTI may hold one at any time until the process is gone.
class BufferPool {
 public:
  static constexpr std::size_t buffer_size = std::size_t{2} << 20;
  static constexpr std::size_t prepared = 16;  // 32 MiB, resident from the start
  static constexpr std::size_t most = 256;     // 512 MiB, if the writer falls far behind

  // Maps and faults in the prepared buffers. With fewer, should memory be short, the pool still
  // works.
  BufferPool();

  // Null when `most` buffers are out and `bounded`.
  std::uint8_t* acquire(bool bounded) noexcept;
  // Zeroes the buffer and makes it available again.
  void release(std::uint8_t* buffer) noexcept;

 private:
  std::mutex mutex_;
  std::vector<std::uint8_t*> free_;
  std::size_t mapped_ = 0;
};

}  // namespace lapscope::inject

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace lapscope::workloads::streams {

enum class HostMemory {
  pinned,      // Allocated page-locked.
  pageable,    // As malloc gives it.
  registered,  // As malloc gives it, then page-locked in place.
};

// Owns host memory for `count` words, all set to 0.
class HostBuffer {
 public:
  HostBuffer(std::size_t count, HostMemory memory);

  std::uint32_t* data() const { return words_.get(); }
  std::span<std::uint32_t> span() const { return {words_.get(), count_}; }

 private:
  std::unique_ptr<std::uint32_t, void (*)(std::uint32_t*)> words_;
  std::size_t count_;
};

}  // namespace lapscope::workloads::streams

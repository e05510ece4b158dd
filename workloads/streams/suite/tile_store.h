#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "workloads/harness/affine.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

enum class HostMemory {
  pinned,      // Allocated page-locked.
  pageable,    // Allocated by malloc.
  registered,  // Allocated by malloc, then page-locked in place.
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

// Throws std::runtime_error unless each element of `data` is right: `map` applied to the pattern,
// which begins at index `first`. The message calls the data `name`.
void require_pattern(std::span<const std::uint32_t> data, std::size_t first, AffineMap map,
                     const std::string& name);

// Throws std::runtime_error unless all elements are `value`.
void require_value(std::span<const std::uint32_t> data, std::uint32_t value,
                   const std::string& name);

// The host data of a case that works on tiles: an input with the pattern, and an output.
class TileStore {
 public:
  explicit TileStore(const Shape& shape, HostMemory input = HostMemory::pinned,
                     HostMemory output = HostMemory::pinned);

  const std::uint32_t* input(std::size_t tile) const { return input_.data() + tile * elements_; }
  std::uint32_t* output(std::size_t tile) const { return output_.data() + tile * elements_; }
  std::size_t elements() const { return elements_; }  // In one tile.
  std::size_t bytes() const { return elements_ * sizeof(std::uint32_t); }

  // Throws std::runtime_error unless the first `elements` elements of every output tile are right.
  void verify(AffineMap map, std::size_t elements) const;
  void verify(AffineMap map) const { verify(map, elements_); }

  void clear() const;

 private:
  std::size_t elements_;
  std::size_t tiles_;
  HostBuffer input_;
  HostBuffer output_;
};

}  // namespace lapscope::workloads::streams

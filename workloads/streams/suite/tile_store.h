#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/harness/affine.h"
#include "workloads/streams/suite/host_buffer.h"
#include "workloads/streams/suite/shape.h"

namespace lapscope::workloads::streams {

// The host's side of a case that works on tiles: an input that holds the pattern, and an output.
class TileStore {
 public:
  explicit TileStore(const Shape& shape, HostMemory input = HostMemory::pinned,
                     HostMemory output = HostMemory::pinned);

  const std::uint32_t* input(std::size_t tile) const { return input_.data() + tile * elements_; }
  std::uint32_t* output(std::size_t tile) const { return output_.data() + tile * elements_; }
  std::size_t elements() const { return elements_; }  // Of a tile.
  std::size_t bytes() const { return elements_ * sizeof(std::uint32_t); }

  // Checks the first `elements` elements of every tile: the output is to be `map` of the input.
  // Throws std::runtime_error.
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

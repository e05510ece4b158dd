#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>

#include "workloads/scan/device/tile_registers.cuh"

namespace lapscope::workloads::scan {

// Whether a tile can be moved as whole vectors.
template <typename Tile>
__device__ bool is_whole(const Arrays<typename Tile::P>& arrays, std::uint32_t tile) {
  return arrays.aligned && (std::uint64_t{tile} + 1) * Tile::size <= arrays.n;
}

// Copies the next tiles of a block past the registers into shared memory, sm_80; earlier devices
// copy at once. Each thread copies just what it will read itself, so that waiting for its own
// copies is enough.
template <typename Tile, unsigned Stages>
class AsyncLoader {
 public:
  using P = typename Tile::P;
  using In = typename Tile::In;
  struct Shared {};
  static constexpr bool needs_bulk_copies = false;
  static constexpr unsigned stages = Stages;
  static constexpr std::size_t shared_bytes = std::size_t{Stages} * Tile::size * sizeof(In);

  __device__ AsyncLoader(const Arrays<P>& arrays, In* stages, Shared&)
      : arrays_(arrays), stages_(stages) {}

  __device__ void prepare() {}

  // Starts to load the tile of the turn. The tile of `Stages` turns earlier is no longer needed.
  __device__ void start(unsigned turn, std::uint32_t tile) {
    if (is_whole<Tile>(arrays_, tile)) {
      const In* const from = arrays_.in + std::uint64_t{tile} * Tile::size;
      In* const to = stage(turn);
#pragma unroll
      for (unsigned r = 0; r < Tile::rows; ++r) {
        __pipeline_memcpy_async(to + Tile::offset(r), from + Tile::offset(r),
                                Tile::input_vector_bytes);
      }
    }
    __pipeline_commit();
  }

  // Waits for it. `Stages` loads have been started from this one on.
  __device__ void finish(unsigned turn, std::uint32_t tile, Tile& registers) const {
    __pipeline_wait_prior(Stages - 1);
    if (is_whole<Tile>(arrays_, tile)) {
      registers.load_shared(stage(turn));
    } else {
      const std::uint64_t begin = std::uint64_t{tile} * Tile::size;
      registers.load_elements(arrays_.in + begin, arrays_.n - begin);
    }
  }

 private:
  __device__ In* stage(unsigned turn) const { return stages_ + turn % Stages * Tile::size; }

  const Arrays<P>& arrays_;
  In* stages_;
};

}  // namespace lapscope::workloads::scan

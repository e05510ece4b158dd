#pragma once

#include "workloads/scan/device/tile_registers.cuh"
#include "workloads/scan/rungs/levels.cuh"

namespace lapscope::workloads::scan {

template <typename P>
using ShuffleTile = TileRegisters<P, 256, 4>;

// Seeds, if any, come in; totals, if wanted, go out. Writes no result where only totals are wanted.
template <typename P, bool Writes>
__global__ void __launch_bounds__(ShuffleTile<P>::threads)
    scan_tiles_shuffle(Arrays<P> arrays, const typename P::Acc* seeds, typename P::Acc* totals) {
  using Tile = ShuffleTile<P>;
  using Acc = typename P::Acc;
  using Op = typename P::Op;
  __shared__ Acc warp_totals[Tile::warps];
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * Tile::size;
  Tile tile;
  tile.load(arrays, begin);
  const Acc warp_total = tile.scan_warp(arrays.exclusive);
  if (lane_id() == 0) warp_totals[warp_id()] = warp_total;
  __syncthreads();
  Acc total;
  const Acc left_in_tile = combine_warps<Op, Tile::warps>(warp_totals, total);
  if (totals != nullptr && threadIdx.x == 0) totals[blockIdx.x] = total;
  if constexpr (Writes) {
    const Acc seed = seeds == nullptr ? Op::identity() : seeds[blockIdx.x];
    tile.store(arrays, begin, Op{}(seed, left_in_tile));
  }
}

// Tiles of 16 KiB of results, in registers.
struct ShuffleMethod {
  template <typename P>
  static constexpr unsigned size = ShuffleTile<P>::size;
  // Vector, warp, rows, warps, and three that join them.
  static constexpr unsigned depth = 3 + 5 + 4 + 5 + 3;

  template <typename P>
  static void scan(const Arrays<P>& arrays, const typename P::Acc* seeds, typename P::Acc* totals,
                   cudaStream_t stream) {
    launch<P, true>(arrays, seeds, totals, stream);
  }
  template <typename P>
  static void reduce(const Arrays<P>& arrays, typename P::Acc* totals, cudaStream_t stream) {
    launch<P, false>(arrays, nullptr, totals, stream);
  }

 private:
  template <typename P, bool Writes>
  static void launch(const Arrays<P>& arrays, const typename P::Acc* seeds, typename P::Acc* totals,
                     cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>(tiles_of(arrays.n, size<P>));
    scan_tiles_shuffle<P, Writes>
        <<<blocks, ShuffleTile<P>::threads, 0, stream>>>(arrays, seeds, totals);
    check(cudaGetLastError(), "launch the kernel scan_tiles_shuffle");
  }
};

}  // namespace lapscope::workloads::scan

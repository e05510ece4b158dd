#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>

#include "workloads/scan/device/single_pass.cuh"

namespace lapscope::workloads::scan {

// A block that stays and scans tile after tile, and whose next tiles are on their way from memory
// while it looks back for the present one.
//
// The copies go past the registers into shared memory. Each thread copies just what it will read
// itself, so that waiting for its own copies is enough and no barrier is added.
template <typename Tile, unsigned Ahead>
class Prefetch {
 public:
  using P = typename Tile::P;
  using In = typename Tile::In;
  static constexpr unsigned stages = Ahead + 1;
  static constexpr std::size_t shared_bytes = std::size_t{stages} * Tile::size * sizeof(In);

  __device__ Prefetch(const Arrays<P>& arrays, In* stages) : arrays_(arrays), stages_(stages) {}

  // Starts the copy of a tile; of none, if it is beyond the array or no whole vectors make it up.
  __device__ void start(unsigned turn, std::uint32_t tile) {
    if (is_whole(tile)) {
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

  // Waits for the copy that was started `Ahead` starts before the latest one.
  __device__ void finish(unsigned turn, std::uint32_t tile, Tile& registers) const {
    __pipeline_wait_prior(Ahead);
    if (is_whole(tile)) {
      registers.load_shared(stage(turn));
    } else {
      const std::uint64_t begin = std::uint64_t{tile} * Tile::size;
      registers.load_elements(arrays_.in + begin, arrays_.n - begin);
    }
  }

 private:
  __device__ bool is_whole(std::uint32_t tile) const {
    return arrays_.aligned && (std::uint64_t{tile} + 1) * Tile::size <= arrays_.n;
  }
  __device__ In* stage(unsigned turn) const { return stages_ + turn % stages * Tile::size; }

  const Arrays<P>& arrays_;
  In* stages_;
};

// As many blocks as fit on the device; with fewer tiles, one block for each.
//
// A block draws tickets until one is beyond the last tile, so that tiles + gridDim.x tickets are
// drawn in all. Where there is a block for every tile each draws once: a second draw could take the
// tile of a block that starts a little later.
template <typename Tile, typename Look, unsigned Ahead, unsigned BlocksPerSm>
__global__ void __launch_bounds__(Tile::threads, BlocksPerSm)
    scan_prefetching(Arrays<typename Tile::P> arrays, Board<typename Tile::P> board,
                     std::uint32_t tiles) {
  using In = typename Tile::In;
  constexpr unsigned slots = Ahead + 2;
  constexpr std::uint32_t none = 0xffffffffU;
  extern __shared__ uint4 dynamic_shared[];
  __shared__ BlockShared<Tile> shared;
  __shared__ Ticket drawn[slots];

  const bool once = gridDim.x == tiles;
  const std::uint32_t last = once ? tiles - 1 : tiles + gridDim.x - 1;
  std::uint64_t* const counter = board.board.counter;
  bool exhausted = false;
  const auto draw = [&](unsigned turn, std::uint64_t answer) {
    Ticket ticket{none, 0};
    if (!exhausted) ticket = take_ticket(answer, counter, last);
    exhausted = once || ticket.tile >= tiles;
    drawn[turn % slots] = ticket.tile < tiles ? ticket : Ticket{none, 0};
  };
  const bool draws = threadIdx.x == idle_thread<Tile>;

  Prefetch<Tile, Ahead> prefetch(arrays, reinterpret_cast<In*>(dynamic_shared));
#pragma unroll
  for (unsigned turn = 0; turn <= Ahead; ++turn) {
    if (draws) draw(turn, exhausted ? 0 : ask_for_ticket(counter));
    __syncthreads();
    if (turn < Ahead) prefetch.start(turn, drawn[turn].tile);
  }
  for (unsigned turn = 0;; ++turn) {
    const Ticket ticket = drawn[turn % slots];
    if (ticket.tile == none) return;
    const std::uint64_t answer = draws && !exhausted ? ask_for_ticket(counter) : 0;
    prefetch.start(turn + Ahead, drawn[(turn + Ahead) % slots].tile);
    Tile tile;
    prefetch.finish(turn, ticket.tile, tile);
    finish_tile<Look>(tile, ticket, arrays, board, shared, [&] { draw(turn + Ahead + 1, answer); });
  }
}

}  // namespace lapscope::workloads::scan

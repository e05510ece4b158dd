#pragma once

#include <cstdint>

#include "workloads/scan/device/look_back.cuh"
#include "workloads/scan/device/tile_registers.cuh"
#include "workloads/scan/device/tile_states.cuh"

namespace lapscope::workloads::scan {

// What a single-pass scan needs besides the arrays.
template <typename P>
struct Board {
  TileBoard board;
  const typename P::Acc* seed = nullptr;  // One value in device memory, to the left of the array.
};

// What the threads of a block tell each other.
template <typename Tile>
struct BlockShared {
  typename Tile::Acc warp_totals[Tile::warps];
  typename Tile::Acc prefix;
};

template <typename P>
__device__ typename P::Acc seed_of(const Board<P>& board) {
  return board.seed == nullptr ? P::Op::identity() : *board.seed;
}

// The tile is loaded. Scans it, finds what lies to its left, and writes it. One warp looks back.
template <typename Look, typename Tile>
__device__ void finish_tile(Tile& tile, Ticket ticket, const Arrays<typename Tile::P>& arrays,
                            const Board<typename Tile::P>& board, BlockShared<Tile>& shared) {
  using Acc = typename Tile::Acc;
  using Op = typename Tile::Op;
  const Tags tags(ticket.epoch);
  const TileStates<Acc> states(board.board.words);
  const Acc warp_total = tile.scan_warp(arrays.exclusive);
  if (lane_id() == 0) shared.warp_totals[warp_id()] = warp_total;
  __syncthreads();

  Acc total;
  const Acc left_in_tile = combine_warps<Op, Tile::warps>(shared.warp_totals, total);
  if (warp_id() == 0) {
    if (Look::publishes_aggregate && lane_id() == 0) {
      states.publish(ticket.tile, total, tags.aggregate);
    }
    const Acc prefix = Look::template find<Op>(states, ticket.tile, tags, seed_of(board));
    if (lane_id() == 0) {
      states.publish(ticket.tile, Op{}(prefix, total), tags.prefix);
      shared.prefix = prefix;
    }
  }
  __syncthreads();
  tile.store(arrays, std::uint64_t{ticket.tile} * Tile::size, Op{}(shared.prefix, left_in_tile));
}

// One block per tile: reads it once, writes it once.
template <typename Tile, typename Look, unsigned BlocksPerSm>
__global__ void __launch_bounds__(Tile::threads, BlocksPerSm)
    scan_single_pass(Arrays<typename Tile::P> arrays, Board<typename Tile::P> board) {
  __shared__ BlockShared<Tile> shared;
  __shared__ Ticket drawn;
  if (threadIdx.x == 0) {
    std::uint64_t* const counter = board.board.counter;
    drawn = take_ticket(ask_for_ticket(counter), counter, gridDim.x - 1);
  }
  __syncthreads();
  const Ticket ticket = drawn;
  Tile tile;
  tile.load(arrays, std::uint64_t{ticket.tile} * Tile::size);
  finish_tile<Look>(tile, ticket, arrays, board, shared);
}

}  // namespace lapscope::workloads::scan

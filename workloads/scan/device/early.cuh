#pragma once

#include <cstdint>

#include "workloads/scan/device/totals.cuh"

namespace lapscope::workloads::scan {

// Which warp of a block finds out what lies to the left.
enum class Resolves { extra_warp, first_warp };

// Watches how long a part of the kernel takes: nothing, outside of scan_tune.
struct NoProbe {
  __device__ void begin() {}
  __device__ void end() {}
  __device__ void report() {}
};

// Waits for `threads` threads of the block: those that also call it with this id.
template <unsigned Id, unsigned Threads>
__device__ void named_barrier() {
  __syncwarp();
  asm volatile("bar.sync %0, %1;" ::"n"(Id), "n"(Threads) : "memory");
}

// A block that stays and scans tile after tile, with two turns under way.
//
// Turn i: take tile i into registers, combine it, publish its total. Only then wait for the prefix
// of tile i - 1, and write that. So nobody waits for a block that itself waits for a prefix, and
// the wait for a prefix has the time of a whole turn to be over. Meanwhile `stages` tiles are on
// their way into shared memory.
//
// Tiles are drawn in order by one thread, each when its load can begin. A block draws until it gets
// a ticket beyond the last tile, so that tiles + gridDim.x are drawn in all. Where there is a block
// for every tile each draws once: a second draw could take the tile of a block that starts later.
//
// Why it always goes on: tile totals wait for loads and for prefixes of lower tiles of the same
// block; prefixes wait for totals of lower tiles; those are held by blocks that run.
template <typename TileType, typename Loader, typename Prefixes,
          Resolves Who = Resolves::extra_warp, typename WaitProbe = NoProbe,
          typename ResolveProbe = NoProbe>
class EarlyScan {
 public:
  using Tile = TileType;
  using P = typename Tile::P;
  using In = typename Tile::In;
  using Acc = typename Tile::Acc;
  using Op = typename Tile::Op;
  using Resolver = typename Prefixes::template Resolver<P>;
  static constexpr std::size_t shared_bytes = Loader::shared_bytes;
  static constexpr bool needs_bulk_copies = Loader::needs_bulk_copies;
  static constexpr unsigned segment = Prefixes::segment;
  static constexpr unsigned threads = Tile::threads + (Who == Resolves::extra_warp ? warp_size : 0);

  struct Shared {
    Ticket drawn[Loader::stages + 2];
    Acc warp_totals[2][Tile::warps];
    Acc prefix[2];
    typename Loader::Shared loader;
  };

  __device__ EarlyScan(const Arrays<P>& arrays, const Board<P>& board, std::uint32_t tiles,
                       typename Tile::In* stages, Shared& shared)
      : arrays_(arrays),
        board_(board),
        tiles_(tiles),
        shared_(shared),
        loader_(arrays, stages, shared.loader),
        resolver_(board, tiles) {}

  __device__ void run() {
    loader_.prepare();
#pragma unroll
    for (unsigned turn = 0; turn < Loader::stages; ++turn) {
      if (draws()) draw(turn, ask());
      __syncthreads();
      if (works()) loader_.start(turn, drawn(turn).tile);
    }
    if (works()) {
      work();
    } else {
      resolve_all();
    }
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  __device__ static bool works() { return threadIdx.x < Tile::threads; }
  // A warp that neither publishes nor resolves, if there is one.
  __device__ static bool draws() { return threadIdx.x == Tile::threads - warp_size; }
  __device__ Ticket& drawn(unsigned turn) { return shared_.drawn[turn % (Loader::stages + 2)]; }

  __device__ std::uint64_t ask() { return exhausted_ ? 0 : ask_for_ticket(board_.board.counter); }

  __device__ void draw(unsigned turn, std::uint64_t answer) {
    const bool once = gridDim.x == tiles_;
    Ticket ticket{none, 0};
    if (!exhausted_) {
      const std::uint32_t last = once ? tiles_ - 1 : tiles_ + gridDim.x - 1;
      ticket = take_ticket(answer, board_.board.counter, last);
    }
    exhausted_ = once || ticket.tile >= tiles_;
    drawn(turn) = ticket.tile < tiles_ ? ticket : Ticket{none, 0};
  }

  __device__ void work() {
    const TileStates<Acc> states(board_.board.words);
    WaitProbe probe;
    Tile waiting;
    Acc left_of_waiting = Op::identity();
    std::uint32_t waiting_tile = none;
    std::uint64_t answer = draws() ? ask() : 0;
    for (unsigned turn = 0;; ++turn) {
      const Ticket ticket = drawn(turn);
      Tile tile;
      Acc left_in_tile = Op::identity();
      if (ticket.tile != none) {
        loader_.finish(turn, ticket.tile, tile);
        Acc* const warp_totals = shared_.warp_totals[turn % 2];
        const Acc warp_total = tile.scan_warp(arrays_.exclusive);
        if (lane_id() == 0) warp_totals[warp_id()] = warp_total;
        if (draws()) draw(turn + Loader::stages, answer);
        named_barrier<1, Tile::threads>();
        Acc total;
        left_in_tile = combine_warps<Op, Tile::warps>(warp_totals, total);
        if (threadIdx.x == 0) states.publish(ticket.tile, total, Tags(ticket.epoch).aggregate);
        loader_.start(turn + Loader::stages, drawn(turn + Loader::stages).tile);
      }
      if (turn > 0) {
        probe.begin();
        if (Who == Resolves::first_warp && warp_id() == 0) resolve(turn - 1);
        named_barrier<2, threads>();
        probe.end();
      }
      // The answer has until the next tile is combined.
      if (draws()) answer = ask();
      if (turn > 0) {
        const Acc left = Op{}(shared_.prefix[(turn - 1) % 2], left_of_waiting);
        waiting.store(arrays_, std::uint64_t{waiting_tile} * Tile::size, left);
      }
      if (ticket.tile == none) break;
      waiting = tile;
      waiting_tile = ticket.tile;
      left_of_waiting = left_in_tile;
    }
    probe.report();
  }

  __device__ void resolve(unsigned turn) {
    const Acc prefix = resolver_.prefix_of(drawn(turn));
    if (lane_id() == 0) shared_.prefix[turn % 2] = prefix;
  }

  __device__ void resolve_all() {
    ResolveProbe probe;
    for (unsigned turn = 0; drawn(turn).tile != none; ++turn) {
      probe.begin();
      resolve(turn);
      probe.end();
      named_barrier<2, threads>();
    }
    probe.report();
  }

  const Arrays<P>& arrays_;
  const Board<P>& board_;
  std::uint32_t tiles_;
  Shared& shared_;
  Loader loader_;
  Resolver resolver_;
  bool exhausted_ = false;
};

// As many blocks as fit on the device; with fewer tiles, one block for each.
template <typename Scan, unsigned BlocksPerSm>
__global__ void __launch_bounds__(Scan::threads, BlocksPerSm)
    scan_early(Arrays<typename Scan::P> arrays, Board<typename Scan::P> board,
               std::uint32_t tiles) {
#if __CUDA_ARCH__ < 900
  // The host asks `runs_here` before it launches.
  if constexpr (Scan::needs_bulk_copies)
    __trap();
  else
#endif
  {
    // A warp's rows begin where lines of shared memory do: when they lay across two, everything took
    // a tenth longer.
    extern __shared__ __align__(128) uint4 dynamic_shared[];
    __shared__ typename Scan::Shared shared;
    Scan(arrays, board, tiles, reinterpret_cast<typename Scan::In*>(dynamic_shared), shared).run();
  }
}

}  // namespace lapscope::workloads::scan

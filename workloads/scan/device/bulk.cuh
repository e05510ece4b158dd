#pragma once

#include <cstdint>

#include "workloads/scan/device/single_pass.cuh"

namespace lapscope::workloads::scan {

// A barrier in shared memory on which copies by the hardware can arrive (sm_90).
//
// A phase ends when all expected arrivals and bytes are in; phases are told apart by their parity.
struct BulkBarrier {
  std::uint64_t word;

  __device__ std::uint32_t address() {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(&word));
  }
  __device__ void init(unsigned arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address()), "r"(arrivals) : "memory");
  }
  __device__ void arrive() {
    asm volatile(
        "{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared.b64 state, [%0];\n\t}" ::"r"(address())
        : "memory");
  }
  __device__ void arrive_and_expect(unsigned bytes) {
    asm volatile(
        "{\n\t.reg .b64 state;\n\tmbarrier.arrive.expect_tx.shared.b64 state, [%0], %1;\n\t}" ::"r"(
            address()),
        "r"(bytes)
        : "memory");
  }
  __device__ void wait(unsigned parity) {
    unsigned done = 0;
    while (done == 0) {
      asm volatile(
          "{\n\t"
          ".reg .pred p;\n\t"
          "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\t"
          "selp.u32 %0, 1, 0, p;\n\t"
          "}"
          : "=r"(done)
          : "r"(address()), "r"(parity)
          : "memory");
    }
  }
};

__device__ inline void bulk_copy(void* to, const void* from, unsigned bytes, BulkBarrier& arrives) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(bytes), "r"(arrives.address())
      : "memory");
}

// How many tiles a block has under way: in shared memory, and between its warps.
template <typename Tile, unsigned Stages>
struct BulkShared {
  static constexpr unsigned handovers = 2;

  Ticket drawn[Stages];
  BulkBarrier issued[Stages];  // `drawn` is written.
  BulkBarrier full[Stages];    // The tile has arrived.
  BulkBarrier empty[Stages];   // All warps are done with the stage.

  typename Tile::Acc warp_totals[handovers][Tile::warps];
  typename Tile::Acc total[handovers];
  typename Tile::Acc prefix[handovers];
  BulkBarrier total_known[handovers];
  BulkBarrier prefix_known[handovers];
};

// A ring of slots: which slot a turn uses, and the parity of the phase that its barrier completes.
template <unsigned Slots>
struct Turn {
  unsigned slot = 0;
  unsigned parity = 0;
  __device__ void next() {
    if (++slot == Slots) {
      slot = 0;
      parity ^= 1;
    }
  }
};

// One kernel, three roles: a warp that draws tickets and starts bulk copies, a warp that looks
// back, and warps that scan. Each role runs ahead of the next as far as the stages allow, and the
// look-back for a tile begins while the tile is still on its way.
//
// Threads of the block: Tile::threads that scan, and two warps more.
template <typename Tile, typename Look, unsigned Stages>
class BulkScan {
 public:
  using P = typename Tile::P;
  using In = typename Tile::In;
  using Acc = typename Tile::Acc;
  using Op = typename Tile::Op;
  using Shared = BulkShared<Tile, Stages>;
  static constexpr unsigned threads = Tile::threads + 2 * warp_size;
  static constexpr std::size_t shared_bytes = std::size_t{Stages} * Tile::size * sizeof(In);

  __device__ BulkScan(const Arrays<P>& arrays, const Board<P>& board, std::uint32_t tiles,
                      In* stages, Shared& shared)
      : arrays_(arrays), board_(board), tiles_(tiles), stages_(stages), shared_(shared) {}

  __device__ void run() {
    prepare();
    const unsigned warp = warp_id();
    if (warp == Tile::warps) {
      if (lane_id() == 0) produce();
    } else if (warp == Tile::warps + 1) {
      look_back();
    } else {
      consume();
    }
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  __device__ void prepare() {
    if (threadIdx.x == 0) {
      for (unsigned s = 0; s < Stages; ++s) {
        shared_.issued[s].init(1);
        shared_.full[s].init(1);
        shared_.empty[s].init(Tile::warps + 1);
      }
      for (unsigned h = 0; h < Shared::handovers; ++h) {
        shared_.total_known[h].init(1);
        shared_.prefix_known[h].init(1);
      }
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
  }

  __device__ bool is_whole(std::uint32_t tile) const {
    return arrays_.aligned && (std::uint64_t{tile} + 1) * Tile::size <= arrays_.n;
  }

  __device__ void produce() {
    const bool once = gridDim.x == tiles_;
    const std::uint32_t last = once ? tiles_ - 1 : tiles_ + gridDim.x - 1;
    std::uint64_t* const counter = board_.board.counter;
    bool exhausted = false;
    unsigned turns = 0;
    for (Turn<Stages> turn;; turn.next(), ++turns) {
      if (turns >= Stages) shared_.empty[turn.slot].wait(turn.parity ^ 1);
      Ticket ticket{none, 0};
      if (!exhausted) ticket = take_ticket(ask_for_ticket(counter), counter, last);
      exhausted = once || ticket.tile >= tiles_;
      const bool any = ticket.tile < tiles_;
      shared_.drawn[turn.slot] = any ? ticket : Ticket{none, 0};
      shared_.issued[turn.slot].arrive();
      if (any && is_whole(ticket.tile)) {
        constexpr unsigned bytes = Tile::size * sizeof(In);
        shared_.full[turn.slot].arrive_and_expect(bytes);
        bulk_copy(stages_ + turn.slot * Tile::size,
                  arrays_.in + std::uint64_t{ticket.tile} * Tile::size, bytes,
                  shared_.full[turn.slot]);
      } else {
        shared_.full[turn.slot].arrive();
      }
      if (!any) return;
    }
  }

  __device__ void look_back() {
    const TileStates<Acc> states(board_.board.words);
    const Acc seed = seed_of(board_);
    Turn<Shared::handovers> handover;
    for (Turn<Stages> turn;; turn.next(), handover.next()) {
      shared_.issued[turn.slot].wait(turn.parity);
      const Ticket ticket = shared_.drawn[turn.slot];
      if (ticket.tile == none) return;
      const Tags tags(ticket.epoch);
      const Acc prefix = Look::template find<Op>(states, ticket.tile, tags, seed);
      shared_.total_known[handover.slot].wait(handover.parity);
      if (lane_id() == 0) {
        states.publish(ticket.tile, Op{}(prefix, shared_.total[handover.slot]), tags.prefix);
        shared_.prefix[handover.slot] = prefix;
        shared_.prefix_known[handover.slot].arrive();
        shared_.empty[turn.slot].arrive();
      }
      __syncwarp();
    }
  }

  __device__ void consume() {
    const TileStates<Acc> states(board_.board.words);
    Turn<Shared::handovers> handover;
    for (Turn<Stages> turn;; turn.next(), handover.next()) {
      shared_.full[turn.slot].wait(turn.parity);
      const Ticket ticket = shared_.drawn[turn.slot];
      if (ticket.tile == none) return;
      const std::uint64_t begin = std::uint64_t{ticket.tile} * Tile::size;
      Tile tile;
      if (is_whole(ticket.tile)) {
        tile.load_shared(stages_ + turn.slot * Tile::size);
      } else {
        tile.load_elements(arrays_.in + begin, arrays_.n - begin);
      }
      __syncwarp();
      if (lane_id() == 0) shared_.empty[turn.slot].arrive();

      Acc* const warp_totals = shared_.warp_totals[handover.slot];
      const Acc warp_total = tile.scan_warp();
      if (lane_id() == 0) warp_totals[warp_id()] = warp_total;
      asm volatile("bar.sync 1, %0;" ::"n"(Tile::threads) : "memory");
      Acc total;
      const Acc left_in_tile = combine_warps<Op, Tile::warps>(warp_totals, total);
      if (threadIdx.x == 0) {
        states.publish(ticket.tile, total, Tags(ticket.epoch).aggregate);
        shared_.total[handover.slot] = total;
        shared_.total_known[handover.slot].arrive();
      }
      shared_.prefix_known[handover.slot].wait(handover.parity);
      tile.store(arrays_, begin, Op{}(shared_.prefix[handover.slot], left_in_tile));
    }
  }

  const Arrays<P>& arrays_;
  const Board<P>& board_;
  std::uint32_t tiles_;
  In* stages_;
  Shared& shared_;
};

// As many blocks as fit on the device, like scan_prefetching.
template <typename Tile, typename Look, unsigned Stages, unsigned BlocksPerSm>
__global__ void __launch_bounds__(BulkScan<Tile, Look, Stages>::threads, BlocksPerSm)
    scan_bulk(Arrays<typename Tile::P> arrays, Board<typename Tile::P> board, std::uint32_t tiles) {
#if __CUDA_ARCH__ >= 900
  using Scan = BulkScan<Tile, Look, Stages>;
  extern __shared__ uint4 dynamic_shared[];
  __shared__ typename Scan::Shared shared;
  Scan(arrays, board, tiles, reinterpret_cast<typename Tile::In*>(dynamic_shared), shared).run();
#else
  __trap();  // The host asks `has_bulk_copies` before it launches.
#endif
}

}  // namespace lapscope::workloads::scan

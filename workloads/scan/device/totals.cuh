#pragma once

#include <cstdint>

#include "workloads/scan/device/single_pass.cuh"

namespace lapscope::workloads::scan {

// Ways to put together what lies to the left of a tile from the totals that other blocks publish.
// They suit blocks that stay: a tile's total is published before anybody waits for its prefix, so
// what is read here is nearly always there, and no block's prefix waits for another block's.
//
// Besides the word of each tile the board has checkpoints: word tiles + i holds what lies to the
// left of tile i * segment.

// Combines the totals of the tiles from `first` up to `end`, in order. One whole warp calls it; all
// lanes get the result. Reads 32 * Window words per round trip, and again only those that were not
// there; PauseNs lets other traffic pass between.
template <typename Op, unsigned Window, unsigned PauseNs, typename T>
__device__ T combine_totals(const TileStates<T>& states, std::uint32_t first, std::uint32_t end,
                            Tags tags) {
  using Seen = typename TileStates<T>::Seen;
  // Lane 31 has the first word of a row: see warp_reduce_from_right.
  const unsigned place = warp_size - 1 - lane_id();
  T combined = Op::identity();
  for (; first < end; first += warp_size * Window) {
    Seen seen[Window];
#pragma unroll
    for (unsigned w = 0; w < Window; ++w) {
      const std::uint32_t tile = first + w * warp_size + place;
      seen[w] = Seen{Op::identity(), tags.aggregate};
      if (tile < end) seen[w] = states.peek(tile);
    }
    while (true) {
      bool missing = false;
#pragma unroll
      for (unsigned w = 0; w < Window; ++w) missing = missing || seen[w].tag != tags.aggregate;
      if (!__any_sync(all_lanes, missing)) break;
      if constexpr (PauseNs > 0) __nanosleep(PauseNs);
#pragma unroll
      for (unsigned w = 0; w < Window; ++w) {
        if (seen[w].tag != tags.aggregate) seen[w] = states.peek(first + w * warp_size + place);
      }
    }
#pragma unroll
    for (unsigned w = 0; w < Window; ++w) {
      if (first + w * warp_size >= end) break;
      combined = Op{}(combined, warp_reduce_from_right<Op>(seen[w].value));
    }
    if (end - first <= warp_size * Window) break;
  }
  return combined;
}

// The block carries its own prefix on: from its last tile to the next one lie as many totals as
// there are blocks. There is no chain of messages at all, whatever the length of the array.
template <unsigned Window, unsigned PauseNs = 0>
struct CarriedPrefix {
  static constexpr unsigned segment = 256;

  template <typename P>
  class Resolver {
   public:
    using T = typename P::Acc;
    using Op = typename P::Op;
    __device__ Resolver(const Board<P>& board, std::uint32_t tiles)
        : states_(board.board.words), checkpoints_(tiles), prefix_(seed_of(board)) {}

    // Tiles must rise from call to call.
    __device__ T prefix_of(Ticket ticket) {
      const Tags tags(ticket.epoch);
      if (next_ == 0) resume(ticket.tile, tags);
      const T between = combine_totals<Op, Window, PauseNs>(states_, next_, ticket.tile, tags);
      prefix_ = Op{}(prefix_, between);
      next_ = ticket.tile;
      if (next_ % segment == 0 && lane_id() == 0) {
        states_.publish(checkpoints_ + next_ / segment, prefix_, tags.prefix);
      }
      return prefix_;
    }

   private:
    // A block that starts late, because others held the device, need not go back to tile 0. Takes
    // the last checkpoint there is, and waits for none.
    __device__ void resume(std::uint32_t tile, Tags tags) {
      for (std::int64_t last = tile / segment; last > 0; last -= warp_size) {
        const std::int64_t mine = last - lane_id();
        auto seen = typename TileStates<T>::Seen{prefix_, 0};
        if (mine > 0) seen = states_.peek(checkpoints_ + mine);
        const unsigned known = __ballot_sync(all_lanes, mine > 0 && seen.tag == tags.prefix);
        if (known == 0) continue;
        const int nearest = __ffs(static_cast<int>(known)) - 1;
        prefix_ = __shfl_sync(all_lanes, seen.value, nearest);
        next_ = static_cast<std::uint32_t>(last - nearest) * segment;
        return;
      }
    }

    TileStates<T> states_;
    std::uint32_t checkpoints_;
    std::uint32_t next_ = 0;  // `prefix_` combines everything before this tile.
    T prefix_;
  };
};

// Two levels: each tile adds the totals of its segment to the checkpoint before it, and the first
// tile of a segment makes the checkpoint from the one before. A chain, of one link per segment.
template <unsigned Window, unsigned Segment, unsigned PauseNs = 0>
struct SegmentPrefix {
  static constexpr unsigned segment = Segment;

  template <typename P>
  class Resolver {
   public:
    using T = typename P::Acc;
    using Op = typename P::Op;
    __device__ Resolver(const Board<P>& board, std::uint32_t tiles)
        : states_(board.board.words), checkpoints_(tiles), seed_(seed_of(board)) {}

    __device__ T prefix_of(Ticket ticket) {
      const Tags tags(ticket.epoch);
      const std::uint32_t ends = ticket.tile / segment;
      const bool makes = ticket.tile % segment == 0 && ends > 0;
      const std::uint32_t base = makes ? ends - 1 : ends;
      auto seen = typename TileStates<T>::Seen{seed_, tags.prefix};
      if (base > 0) seen = states_.peek(checkpoints_ + base);
      const T totals =
          combine_totals<Op, Window, PauseNs>(states_, base * segment, ticket.tile, tags);
      while (__any_sync(all_lanes, seen.tag != tags.prefix)) {
        if constexpr (PauseNs > 0) __nanosleep(PauseNs);
        seen = states_.peek(checkpoints_ + base);
      }
      const T prefix = Op{}(seen.value, totals);
      if (makes && lane_id() == 0) states_.publish(checkpoints_ + ends, prefix, tags.prefix);
      return prefix;
    }

   private:
    TileStates<T> states_;
    std::uint32_t checkpoints_;
    T seed_;
  };
};

}  // namespace lapscope::workloads::scan

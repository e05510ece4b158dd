#pragma once

#include <cstdint>

#include "workloads/scan/device/tile_states.cuh"
#include "workloads/scan/device/warp.cuh"

namespace lapscope::workloads::scan {

// Three ways for a block to learn what lies to the left of its tile. Each is called by one whole
// warp; all lanes get the answer. `seed` lies to the left of tile 0.

// Waits until the tile before is completely done. A chain: the time is the number of tiles times
// the time of one message between blocks.
struct ChainedLook {
  static constexpr bool publishes_aggregate = false;

  template <typename Op, typename T>
  __device__ static T find(const TileStates<T>& states, std::int64_t tile, Tags tags, T seed) {
    T prefix = seed;
    if (lane_id() == 0 && tile > 0) {
      auto seen = states.peek(tile - 1);
      while (seen.tag != tags.prefix) seen = states.peek(tile - 1);
      prefix = seen.value;
    }
    return __shfl_sync(all_lanes, prefix, 0);
  }
};

// One thread walks back over tiles that know only their own total, to the first that knows all.
struct ThreadLook {
  static constexpr bool publishes_aggregate = true;

  template <typename Op, typename T>
  __device__ static T find(const TileStates<T>& states, std::int64_t tile, Tags tags, T seed) {
    T prefix = Op::identity();
    if (lane_id() == 0) {
      bool done = false;
      while (!done) {
        --tile;
        if (tile < 0) break;
        auto seen = states.peek(tile);
        while (seen.tag != tags.prefix && seen.tag != tags.aggregate) seen = states.peek(tile);
        prefix = Op{}(seen.value, prefix);
        done = seen.tag == tags.prefix;
      }
      if (!done) prefix = Op{}(seed, prefix);
    }
    return __shfl_sync(all_lanes, prefix, 0);
  }
};

// A warp reads 32 * Window tiles at a time.
//
// How wide it must be: tiles arrive at a rate r, and a step takes the time t of a round trip to the
// second-level cache, so that r * t tiles become known while the warp looks at its own. A window
// narrower than that falls behind, and then the look-back, not the memory, sets the pace.
template <unsigned Window, unsigned PauseNs = 0>
struct WarpLook {
  static constexpr bool publishes_aggregate = true;

  template <typename Op, typename T>
  __device__ static T find(const TileStates<T>& states, std::int64_t tile, Tags tags, T seed) {
    const unsigned lane = lane_id();
    T prefix = Op::identity();
    for (std::int64_t nearest = tile - 1;; nearest -= warp_size * Window) {
      typename TileStates<T>::Seen seen[Window];
      unsigned needed[Window];
#pragma unroll
      for (unsigned w = 0; w < Window; ++w) {
        seen[w] = peek(states, nearest - (w * warp_size + lane), tags, seed);
      }
      bool found = false;
      while (true) {
        // Needed are the tiles up to the nearest one that knows all.
        bool complete = true;
        found = false;
#pragma unroll
        for (unsigned w = 0; w < Window; ++w) {
          const unsigned knows_all = __ballot_sync(all_lanes, seen[w].tag == tags.prefix);
          const unsigned knows_own = __ballot_sync(all_lanes, seen[w].tag == tags.aggregate);
          const unsigned to_nearest = knows_all != 0 ? knows_all ^ (knows_all - 1) : all_lanes;
          needed[w] = found ? 0 : to_nearest;
          found = found || knows_all != 0;
          complete = complete && ((knows_all | knows_own) & needed[w]) == needed[w];
        }
        if (complete) break;
        if constexpr (PauseNs > 0) __nanosleep(PauseNs);
#pragma unroll
        for (unsigned w = 0; w < Window; ++w) {
          if (seen[w].tag != tags.prefix) {
            seen[w] = peek(states, nearest - (w * warp_size + lane), tags, seed);
          }
        }
      }
#pragma unroll
      for (unsigned w = 0; w < Window; ++w) {
        const bool mine = (needed[w] >> lane & 1) != 0;
        const T part = warp_reduce_from_right<Op>(mine ? seen[w].value : Op::identity());
        prefix = Op{}(part, prefix);
      }
      if (found) return prefix;
    }
  }

 private:
  template <typename T>
  __device__ static typename TileStates<T>::Seen peek(const TileStates<T>& states,
                                                      std::int64_t tile, Tags tags, T seed) {
    if (tile < 0) return {seed, tags.prefix};
    return states.peek(tile);
  }
};

}  // namespace lapscope::workloads::scan

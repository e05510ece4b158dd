#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <cstring>

#include "workloads/scan/rungs/device.cuh"

namespace lapscope::workloads::scan {

// Returns to lane i the sum of the values of lanes 0 to i. Needs five shuffles, and no barrier.
template <typename T>
__device__ T warp_inclusive_scan(T value) {
#pragma unroll
  for (unsigned distance = 1; distance < warp_size; distance *= 2) {
    const T left = __shfl_up_sync(all_lanes, value, distance);
    if (lane_id() >= distance) value = left + value;
  }
  return value;
}

// Converts an inclusive scan of the lanes to an exclusive scan.
template <typename T>
__device__ T shift_to_exclusive(T inclusive) {
  const T left = __shfl_up_sync(all_lanes, inclusive, 1);
  return lane_id() == 0 ? T{0} : left;
}

// A tile of consecutive elements in the registers of a block.
//
//   warp 0                               warp 1 ...
//   row 0: lane 0 | lane 1 | ... lane 31
//   row 1: lane 0 | lane 1 | ... lane 31
//
// A lane has one 16-byte vector in each row. Neighbouring lanes access neighbouring addresses. No
// data is transposed through shared memory. The warp therefore makes one scan for each row. The
// shuffles of different rows do not depend on each other and overlap.
template <typename T>
class Tile {
 public:
  // A tile has 31.5 KiB. A block has two tiles in shared memory. From sm_75 on, a block can have 64
  // KiB, so two tiles fit. From sm_80 on, except on sm_86 and similar devices, two blocks fit on a
  // multiprocessor. On an H200, a scan of 2^22 elements of 8 bytes has 3.94 tiles per block. Almost
  // all blocks therefore scan four tiles, and little time is lost.
  static constexpr unsigned threads = 224;
  static constexpr unsigned rows = 9;
  static constexpr unsigned warps = threads / warp_size;
  static constexpr unsigned vector = 16 / sizeof(T);
  static constexpr unsigned size = threads * rows * vector;

  // Returns the index in the tile at which this lane's vector of `row` begins.
  __device__ static unsigned offset(unsigned row) {
    return ((warp_id() * rows + row) * warp_size + lane_id()) * vector;
  }

  // Loads up to `left` elements, which may have any alignment. Sets all other elements to zero.
  __device__ void load_elements(const T* in, std::uint64_t left) {
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
#pragma unroll
      for (unsigned v = 0; v < vector; ++v) {
        const unsigned i = offset(r) + v;
        items_[r][v] = i < left ? in[i] : T{0};
      }
    }
  }

  // Loads the lane's vectors from shared memory that has the layout of the tile.
  __device__ void load_shared(const T* tile) {
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      const Vector loaded = *reinterpret_cast<const Vector*>(tile + offset(r));
#pragma unroll
      for (unsigned v = 0; v < vector; ++v) items_[r][v] = loaded.item[v];
    }
  }

  // Replaces each element by the sum of the elements to its left in the warp. If `exclusive` is
  // false, the sum includes the element itself. Returns the total of the warp.
  __device__ T scan_warp(bool exclusive) {
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
#pragma unroll
      for (unsigned v = 1; v < vector; ++v) items_[r][v] = items_[r][v - 1] + items_[r][v];
    }
    T inclusive[rows];
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      inclusive[r] = warp_inclusive_scan(items_[r][vector - 1]);
    }
    T total = T{0};
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      const T left = total + shift_to_exclusive(inclusive[r]);
      total += __shfl_sync(all_lanes, inclusive[r], warp_size - 1);
      if (exclusive) {
#pragma unroll
        for (unsigned v = vector - 1; v > 0; --v) items_[r][v] = left + items_[r][v - 1];
        items_[r][0] = left;
      } else {
#pragma unroll
        for (unsigned v = 0; v < vector; ++v) items_[r][v] = left + items_[r][v];
      }
    }
    return total;
  }

  // Adds `left_of_warp`, the sum of all elements before the warp, and writes the results. Nothing
  // reads the results again, so it uses streaming stores: caches drop these lines first.
  __device__ void store(const Arrays<T>& arrays, std::uint64_t begin, T left_of_warp) const {
    const bool whole = arrays.aligned && begin + size <= arrays.n;
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      Vector result;
#pragma unroll
      for (unsigned v = 0; v < vector; ++v) result.item[v] = left_of_warp + items_[r][v];
      T* const out = arrays.out + begin + offset(r);
      if (whole) {
        uint4 bits;
        memcpy(&bits, &result, sizeof bits);
        __stcs(reinterpret_cast<uint4*>(out), bits);
      } else {
#pragma unroll
        for (unsigned v = 0; v < vector; ++v) {
          if (begin + offset(r) + v < arrays.n) out[v] = result.item[v];
        }
      }
    }
  }

 private:
  struct alignas(16) Vector {
    T item[vector];
  };

  T items_[rows][vector];
};

// Reads the totals of the block's warps from shared memory. Returns the sum of all warps before the
// calling warp, and sets `block_total`. All threads of the warp must call this function, after a
// barrier.
template <unsigned Warps, typename T>
__device__ T sum_warps(const T* warp_totals, T& block_total) {
  const unsigned lane = lane_id();
  const T own = lane < Warps ? warp_totals[lane] : T{0};
  const T inclusive = warp_inclusive_scan(own);
  block_total = __shfl_sync(all_lanes, inclusive, Warps - 1);
  return __shfl_sync(all_lanes, shift_to_exclusive(inclusive), warp_id() % Warps);
}

// Copies the block's next tiles to shared memory, asynchronously from sm_80 on. A thread copies the
// elements that it will read itself, so it waits only for its own copies. If a tile cannot be
// copied as whole vectors, finish() loads it element by element.
template <typename T>
class TileLoader {
 public:
  static constexpr unsigned stages = 2;
  static constexpr std::size_t shared_bytes = std::size_t{stages} * Tile<T>::size * sizeof(T);

  __device__ TileLoader(const Arrays<T>& arrays, T* stages) : arrays_(arrays), stages_(stages) {}

  // Starts to load the tile of `turn`. This overwrites the tile of `turn - stages`.
  __device__ void start(unsigned turn, std::uint32_t tile) {
    if (is_whole(tile)) {
      const T* const from = arrays_.in + std::uint64_t{tile} * Tile<T>::size;
      T* const to = stage(turn);
#pragma unroll
      for (unsigned r = 0; r < Tile<T>::rows; ++r) {
        const unsigned at = Tile<T>::offset(r);
        __pipeline_memcpy_async(to + at, from + at, sizeof(uint4));
      }
    }
    __pipeline_commit();
  }

  // Waits for the tile of `turn`. Before this, start() must have been called for all turns from
  // `turn` to `turn + stages - 1`.
  __device__ void finish(unsigned turn, std::uint32_t tile, Tile<T>& registers) const {
    __pipeline_wait_prior(stages - 1);
    if (is_whole(tile)) {
      registers.load_shared(stage(turn));
    } else {
      const std::uint64_t begin = std::uint64_t{tile} * Tile<T>::size;
      registers.load_elements(arrays_.in + begin, arrays_.n - begin);
    }
  }

 private:
  __device__ bool is_whole(std::uint32_t tile) const {
    return arrays_.aligned && (std::uint64_t{tile} + 1) * Tile<T>::size <= arrays_.n;
  }
  __device__ T* stage(unsigned turn) const { return stages_ + turn % stages * Tile<T>::size; }

  const Arrays<T>& arrays_;
  T* stages_;
};

}  // namespace lapscope::workloads::scan

#pragma once

#include <cstdint>

#include "workloads/scan/device/tile_registers.cuh"

namespace lapscope::workloads::scan {

// Element i of a tree lies at index i: at the strides of the upper levels, the threads of a warp
// meet in a few of the 32 banks of shared memory and are served one after the other.
struct PlainLayout {
  __device__ static constexpr unsigned at(unsigned i) { return i; }
};

// One unused element after every 32 shifts each row of 32 by one bank.
struct PaddedLayout {
  __device__ static constexpr unsigned at(unsigned i) { return i + i / warp_size; }
};

// Work-efficient exclusive scan of 2 * Threads elements in shared memory (Blelloch 1990; Harris,
// Sengupta and Owens 2007): up-sweep to the total, down-sweep back to the leaves, 2n combinations
// in all. Returns the total. Call it with all threads, after the elements are written.
template <typename Op, unsigned Threads, typename Layout, typename T>
__device__ T tree_exclusive_scan(T* tree) {
  constexpr unsigned size = 2 * Threads;
  const auto node = [&](unsigned i, unsigned offset) -> T& {
    return tree[Layout::at(offset * i - 1)];
  };
  const unsigned left = 2 * threadIdx.x + 1;

  unsigned offset = 1;
  for (unsigned nodes = Threads; nodes > 0; nodes /= 2, offset *= 2) {
    __syncthreads();
    if (threadIdx.x < nodes)
      node(left + 1, offset) = Op{}(node(left, offset), node(left + 1, offset));
  }
  __syncthreads();
  const T total = tree[Layout::at(size - 1)];
  __syncthreads();
  if (threadIdx.x == 0) tree[Layout::at(size - 1)] = Op::identity();

  for (unsigned nodes = 1; nodes < size; nodes *= 2) {
    offset /= 2;
    __syncthreads();
    if (threadIdx.x < nodes) {
      const T own = node(left, offset);
      const T from_left = node(left + 1, offset);
      node(left, offset) = from_left;
      node(left + 1, offset) = Op{}(from_left, own);
    }
  }
  __syncthreads();
  return total;
}

// A tile of 2 * Threads elements, two per thread and half a tile apart, so that neighbouring
// threads read neighbouring addresses.
template <typename P, unsigned Threads, typename Layout>
struct TreeTile {
  using Acc = typename P::Acc;
  using Op = typename P::Op;
  static constexpr unsigned threads = Threads;
  static constexpr unsigned size = 2 * Threads;
  static constexpr unsigned shared_size = size + size / warp_size;

  // Combines the tile that begins at `begin`; returns its total.
  __device__ static Acc scan(const Arrays<P>& arrays, std::uint64_t begin, Acc seed, Acc* tree) {
    Acc own[2];
    for (unsigned half = 0; half < 2; ++half) {
      const std::uint64_t i = begin + half * Threads + threadIdx.x;
      own[half] = i < arrays.n ? static_cast<Acc>(arrays.in[i]) : Op::identity();
      tree[Layout::at(half * Threads + threadIdx.x)] = own[half];
    }
    const Acc total = tree_exclusive_scan<Op, Threads, Layout>(tree);
    for (unsigned half = 0; half < 2; ++half) {
      const std::uint64_t i = begin + half * Threads + threadIdx.x;
      const Acc left = Op{}(seed, tree[Layout::at(half * Threads + threadIdx.x)]);
      if (i < arrays.n) arrays.out[i] = arrays.exclusive ? left : Op{}(left, own[half]);
    }
    return total;
  }
};

}  // namespace lapscope::workloads::scan

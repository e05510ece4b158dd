#pragma once

#include "workloads/scan/device/tree.cuh"
#include "workloads/scan/rungs/levels.cuh"

namespace lapscope::workloads::scan {

inline constexpr unsigned tree_threads = 512;

template <typename P>
__global__ void __launch_bounds__(tree_threads)
    scan_tiles_tree(Arrays<P> arrays, const typename P::Acc* seeds, typename P::Acc* totals) {
  using Tile = TreeTile<P, tree_threads, PaddedLayout>;
  using Acc = typename P::Acc;
  __shared__ Acc tree[Tile::shared_size];
  const Acc seed = seeds == nullptr ? P::Op::identity() : seeds[blockIdx.x];
  const Acc total = Tile::scan(arrays, std::uint64_t{blockIdx.x} * Tile::size, seed, tree);
  if (totals != nullptr && threadIdx.x == 0) totals[blockIdx.x] = total;
}

// Halves the distance at each step, neighbours first, so that the order is kept.
template <typename P>
__global__ void __launch_bounds__(tree_threads)
    reduce_tiles_tree(Arrays<P> arrays, typename P::Acc* totals) {
  using Acc = typename P::Acc;
  using Op = typename P::Op;
  __shared__ Acc parts[tree_threads];
  const std::uint64_t i = (std::uint64_t{blockIdx.x} * tree_threads + threadIdx.x) * 2;
  const Acc first = i < arrays.n ? static_cast<Acc>(arrays.in[i]) : Op::identity();
  const Acc second = i + 1 < arrays.n ? static_cast<Acc>(arrays.in[i + 1]) : Op::identity();
  parts[threadIdx.x] = Op{}(first, second);
  for (unsigned distance = 1; distance < tree_threads; distance *= 2) {
    __syncthreads();
    const unsigned left = 2 * distance * threadIdx.x;
    if (left + distance < tree_threads) parts[left] = Op{}(parts[left], parts[left + distance]);
  }
  __syncthreads();
  if (threadIdx.x == 0) totals[blockIdx.x] = parts[0];
}

template <typename P>
__global__ void __launch_bounds__(tree_threads)
    propagate_tree(Arrays<P> arrays, const typename P::Acc* seeds) {
  const typename P::Acc seed = seeds[blockIdx.x];
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t i = (std::uint64_t{blockIdx.x} * 2 + half) * tree_threads + threadIdx.x;
    if (i < arrays.n) arrays.out[i] = typename P::Op{}(seed, arrays.out[i]);
  }
}

// Tiles of 1024 elements, scanned by the tree with padding.
struct TreeMethod {
  template <typename P>
  static constexpr unsigned size = 2 * tree_threads;
  // Up, down, the seed, and the element itself.
  static constexpr unsigned depth = 10 + 10 + 2;

  template <typename P>
  static void scan(const Arrays<P>& arrays, const typename P::Acc* seeds, typename P::Acc* totals,
                   cudaStream_t stream) {
    scan_tiles_tree<P><<<blocks(arrays), tree_threads, 0, stream>>>(arrays, seeds, totals);
    check(cudaGetLastError(), "launch the kernel scan_tiles_tree");
  }
  template <typename P>
  static void reduce(const Arrays<P>& arrays, typename P::Acc* totals, cudaStream_t stream) {
    reduce_tiles_tree<P><<<blocks(arrays), tree_threads, 0, stream>>>(arrays, totals);
    check(cudaGetLastError(), "launch the kernel reduce_tiles_tree");
  }
  template <typename P>
  static void propagate(const Arrays<P>& arrays, const typename P::Acc* seeds,
                        cudaStream_t stream) {
    propagate_tree<P><<<blocks(arrays), tree_threads, 0, stream>>>(arrays, seeds);
    check(cudaGetLastError(), "launch the kernel propagate_tree");
  }

 private:
  template <typename P>
  static unsigned blocks(const Arrays<P>& arrays) {
    return static_cast<unsigned>(tiles_of(arrays.n, size<P>));
  }
};

}  // namespace lapscope::workloads::scan

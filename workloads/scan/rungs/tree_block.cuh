#pragma once

#include "workloads/scan/device/tree.cuh"
#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/levels.cuh"

namespace lapscope::workloads::scan {

inline constexpr unsigned tree_block_threads = 1024;
inline constexpr unsigned tree_block_size = 2 * tree_block_threads;

template <typename P, typename Layout>
__global__ void __launch_bounds__(tree_block_threads) scan_block_tree(Arrays<P> arrays) {
  using Tile = TreeTile<P, tree_block_threads, Layout>;
  __shared__ typename P::Acc tree[Tile::shared_size];
  Tile::scan(arrays, 0, P::Op::identity(), tree);
}

template <typename Layout>
void launch_block_tree(const ScanCall& call) {
  if (call.n == 0) return;
  with_problem(TeachingProblems{}, call.combination, [&]<typename P>(P) {
    scan_block_tree<P, Layout><<<1, tree_block_threads, 0, call.stream>>>(arrays_of<P>(call));
    check(cudaGetLastError(), "launch the kernel scan_block_tree");
  });
}

// The two rungs differ only in where the elements lie in shared memory.
template <typename Layout>
constexpr Rung tree_block_rung(std::string_view name, std::string_view change) {
  return {.name = name,
          .change = change,
          .passes = [](std::uint64_t) { return 2.0; },
          .depth = [](std::uint64_t) -> std::uint64_t { return 11 + 11 + 2; },
          .supports = contains<TeachingProblems>,
          .scan = launch_block_tree<Layout>,
          .max_n = tree_block_size,
          .tile = tree_block_size};
}

}  // namespace lapscope::workloads::scan

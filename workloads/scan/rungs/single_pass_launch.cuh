#pragma once

#include <algorithm>
#include <cstdint>

#include "workloads/scan/device/bulk.cuh"
#include "workloads/scan/device/prefetching.cuh"
#include "workloads/scan/device/single_pass.cuh"
#include "workloads/scan/rungs/levels.cuh"

namespace lapscope::workloads::scan {

// What every single-pass scan of a tile size needs to be launched.
template <typename Tile>
struct SinglePass {
  using P = typename Tile::P;

  explicit SinglePass(const ScanCall& call)
      : arrays(arrays_of<P>(call)),
        tiles(static_cast<std::uint32_t>(tiles_of(call.n, Tile::size))),
        board{call.workspace->board(tiles, TileStates<typename P::Acc>::word_bytes, call.stream),
              static_cast<const typename P::Acc*>(call.seed)} {}

  Arrays<P> arrays;
  std::uint32_t tiles;
  Board<P> board;
};

template <typename Tile, typename Look, unsigned BlocksPerSm = 1>
void launch_single_pass(const ScanCall& call) {
  const SinglePass<Tile> scan(call);
  scan_single_pass<Tile, Look, BlocksPerSm>
      <<<scan.tiles, Tile::threads, 0, call.stream>>>(scan.arrays, scan.board);
  check(cudaGetLastError(), "launch the kernel scan_single_pass");
}

// How many blocks of a kernel the device holds at once. Prepares the kernel for its shared memory.
template <typename Kernel>
unsigned resident_blocks(Kernel kernel, unsigned threads, std::size_t shared_bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared_bytes)),
        "reserve the shared memory of a scan kernel");
  int device = 0;
  int multiprocessors = 0;
  int per_multiprocessor = 0;
  check(cudaGetDevice(&device), "find the current device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "count the multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel,
                                                      static_cast<int>(threads), shared_bytes),
        "find the occupancy of a scan kernel");
  return static_cast<unsigned>(std::max(1, multiprocessors * per_multiprocessor));
}

template <typename Tile, typename Look, unsigned Ahead, unsigned BlocksPerSm>
void launch_prefetching(const ScanCall& call) {
  constexpr auto kernel = scan_prefetching<Tile, Look, Ahead, BlocksPerSm>;
  constexpr std::size_t shared_bytes = Prefetch<Tile, Ahead>::shared_bytes;
  static const unsigned resident = resident_blocks(kernel, Tile::threads, shared_bytes);
  const SinglePass<Tile> scan(call);
  kernel<<<std::min(resident, scan.tiles), Tile::threads, shared_bytes, call.stream>>>(
      scan.arrays, scan.board, scan.tiles);
  check(cudaGetLastError(), "launch the kernel scan_prefetching");
}

template <typename Tile, typename Look, unsigned Stages, unsigned BlocksPerSm>
void launch_bulk(const ScanCall& call) {
  using Scan = BulkScan<Tile, Look, Stages>;
  constexpr auto kernel = scan_bulk<Tile, Look, Stages, BlocksPerSm>;
  static const unsigned resident = resident_blocks(kernel, Scan::threads, Scan::shared_bytes);
  const SinglePass<Tile> scan(call);
  kernel<<<std::min(resident, scan.tiles), Scan::threads, Scan::shared_bytes, call.stream>>>(
      scan.arrays, scan.board, scan.tiles);
  check(cudaGetLastError(), "launch the kernel scan_bulk");
}

// Worst case of a look-back: the value passes from tile to tile.
template <unsigned TileSize>
std::uint64_t single_pass_depth(std::uint64_t n) {
  return 32 + tiles_of(n, TileSize);
}

}  // namespace lapscope::workloads::scan

#pragma once

#include <algorithm>
#include <cstdint>

#include "workloads/scan/device/async_loader.cuh"
#include "workloads/scan/device/early.cuh"
#include "workloads/scan/device/single_pass.cuh"
#include "workloads/scan/rungs/levels.cuh"

namespace lapscope::workloads::scan {

// What every single-pass scan of a tile size needs to be launched.
template <typename Tile>
struct SinglePass {
  using P = typename Tile::P;

  // The board has a word for every tile, and one more for every `segment` tiles.
  explicit SinglePass(const ScanCall& call, unsigned segment = 1U << 31)
      : arrays(arrays_of<P>(call)),
        tiles(static_cast<std::uint32_t>(tiles_of(call.n, Tile::size))),
        board{call.workspace->board(std::uint64_t{tiles} + tiles / segment + 1,
                                    TileStates<typename P::Acc>::word_bytes, call.stream),
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

template <typename Scan, unsigned BlocksPerSm>
unsigned resident_blocks_of() {
  static const unsigned resident =
      resident_blocks(scan_early<Scan, BlocksPerSm>, Scan::threads, Scan::shared_bytes);
  return resident;
}

template <typename Scan, unsigned BlocksPerSm>
void launch_early(const ScanCall& call) {
  const unsigned resident = resident_blocks_of<Scan, BlocksPerSm>();
  const SinglePass<typename Scan::Tile> scan(call, Scan::segment);
  scan_early<Scan, BlocksPerSm>
      <<<std::min(resident, scan.tiles), Scan::threads, Scan::shared_bytes, call.stream>>>(
          scan.arrays, scan.board, scan.tiles);
  check(cudaGetLastError(), "launch the kernel scan_early");
}

// Worst case of a look-back: the value passes from tile to tile.
template <unsigned TileSize>
std::uint64_t single_pass_depth(std::uint64_t n) {
  return 32 + tiles_of(n, TileSize);
}

}  // namespace lapscope::workloads::scan

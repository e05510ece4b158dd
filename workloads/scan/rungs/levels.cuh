#pragma once

#include <cstdint>

#include "workloads/harness/cuda_check.h"
#include "workloads/scan/device/tile_registers.cuh"
#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

// Scans of any length from scans of tiles: the totals of the tiles are scanned in turn, by the same
// method, until one tile holds them. Each level is shorter than the one before by the size of a
// tile.

constexpr std::uint64_t tiles_of(std::uint64_t n, std::uint64_t size) {
  return (n + size - 1) / size;
}

// The totals of all levels together.
constexpr std::uint64_t totals_of(std::uint64_t n, std::uint64_t size) {
  std::uint64_t totals = 0;
  while (n > size) totals += n = tiles_of(n, size);
  return totals;
}

constexpr std::uint64_t levels_of(std::uint64_t n, std::uint64_t size) {
  std::uint64_t levels = 1;
  for (; n > size; n = tiles_of(n, size)) ++levels;
  return levels;
}

// A method has
//   size<P>                                       elements of a tile
//   scan(arrays, seeds, totals, stream)           seeds and totals, one per tile, may be null
//   reduce(arrays, totals, stream)
//   propagate(arrays, seeds, stream)              combines the seed with each result of a tile

template <typename Method, typename P>
void scan_then_propagate(const Arrays<P>& arrays, typename P::Acc* totals, cudaStream_t stream) {
  const std::uint64_t tiles = tiles_of(arrays.n, Method::template size<P>);
  if (tiles == 1) return Method::template scan<P>(arrays, nullptr, nullptr, stream);
  Method::template scan<P>(arrays, nullptr, totals, stream);
  using Next = typename P::OfResults;
  scan_then_propagate<Method, Next>(arrays_of<Next>(totals, totals, tiles, true), totals + tiles,
                                    stream);
  Method::template propagate<P>(arrays, totals, stream);
}

template <typename Method, typename P>
void reduce_then_scan(const Arrays<P>& arrays, typename P::Acc* totals, cudaStream_t stream) {
  const std::uint64_t tiles = tiles_of(arrays.n, Method::template size<P>);
  if (tiles == 1) return Method::template scan<P>(arrays, nullptr, nullptr, stream);
  Method::template reduce<P>(arrays, totals, stream);
  using Next = typename P::OfResults;
  reduce_then_scan<Method, Next>(arrays_of<Next>(totals, totals, tiles, true), totals + tiles,
                                 stream);
  Method::template scan<P>(arrays, totals, nullptr, stream);
}

template <typename P>
Arrays<P> arrays_of(const ScanCall& call) {
  return arrays_of<P>(call.in, call.out, call.n, call.kind == Kind::exclusive);
}

// Room for the totals of all levels.
template <typename P>
typename P::Acc* totals_for(const ScanCall& call, std::uint64_t size) {
  return static_cast<typename P::Acc*>(
      call.workspace->scratch(totals_of(call.n, size) * sizeof(typename P::Acc)));
}

}  // namespace lapscope::workloads::scan

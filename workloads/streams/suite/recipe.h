#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>

#include "workloads/harness/handles.h"
#include "workloads/streams/suite/host_buffer.h"

namespace lapscope::workloads::streams {

// A tile on its way through a pipeline, as the hooks of a recipe see it.
struct TileJob {
  std::size_t tile = 0;
  std::size_t lane = 0;                  // Index of its device buffer and, mostly, stream.
  cudaStream_t stream = nullptr;         // That stream; with one for each engine, the kernels'.
  cudaStream_t next = nullptr;           // The stream of the tile after it.
  const std::uint32_t* input = nullptr;  // Of the tile, on the host.
};

using TileHook = std::function<void(const TileJob&)>;

// What a copy-compute-copy pipeline does. A case takes the defaults, which are as good as it gets,
// and changes one thing in its broken variant.
//
// Per tile, in this order: before, copy in, loaded, kernel, computed, copy out, step, after. What
// the hooks hold on to lives as long as the recipe.
struct Recipe {
  int streams = 4;                 // And device buffers, one for each.
  bool stream_per_engine = false;  // Three streams joined by events; `streams` are the buffers.
  StreamKind kind = StreamKind::non_blocking;
  HostMemory input = HostMemory::pinned;
  HostMemory output = HostMemory::pinned;
  int threads = 1;               // Host threads that issue the tiles, in turn.
  bool thread_stream = false;    // Use the per-thread default stream of each.
  std::size_t elements_out = 0;  // Copied out of each tile; 0: all.
  bool marks = false;            // Time the end of each tile by an event.

  TileHook before;
  TileHook loaded;
  TileHook computed;
  TileHook step;  // A short operation on the GPU; its length is measured.
  TileHook after;
  std::function<void()> arm;           // Before a run: wakes threads of the case.
  std::function<void()> finish;        // Once, when the device is idle: what threads still do.
  std::function<double()> planted_us;  // Measures what is planted, alone.
  std::function<void()> verify;        // The results of the hooks.
  std::function<void()> clear;
};

}  // namespace lapscope::workloads::streams

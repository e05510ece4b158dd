#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/harness/tile_pipeline.h"
#include "workloads/harness/usual_kernel.h"
#include "workloads/harness/worker_pool.h"
#include "workloads/streams/suite/case.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {

// A tile on its way through a pipeline, as the hooks of a recipe see it.
struct TileJob {
  std::size_t tile = 0;
  std::size_t lane = 0;                  // Index of its device buffer and, mostly, stream.
  cudaStream_t stream = nullptr;         // That stream; with one for each engine, the kernels'.
  cudaStream_t next = nullptr;           // The stream of the tile after it.
  const std::uint32_t* input = nullptr;  // The tile's, on the host.
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

// The program that most cases are: tiles are copied in, computed on and copied out, in the streams
// and with the additions that a recipe asks for.
class Pipeline : public Workload {
 public:
  Pipeline(const Setting& setting, Recipe recipe);

  PartTimes calibrate() override;
  void run() override;
  void verify() override;
  void clear() override;
  void arm() override;
  void report(Report& report) const override;

 private:
  void issue(const Tile& tile);
  void issue_in_turns();
  void warm_threads();
  void copy_in(std::size_t tile, const TileJob& job, cudaStream_t stream) const;
  void copy_out(std::size_t tile, const TileJob& job, cudaStream_t stream) const;
  void measure_engines(PartTimes& parts);
  void measure_hand_over();
  void measure_step(PartTimes& parts);
  void calibrate_usual();
  void launch_kernel(const TileJob& job);
  AffineMap map() const;
  TileJob job_of(std::size_t tile) const;

  Shape shape_;
  Recipe recipe_;
  std::vector<Tile> schedule_;
  TileKernel kernel_;
  std::unique_ptr<UsualKernel> usual_;  // In place of it.
  std::optional<UsualChoice> choice_;   // Which.
  TileStore store_;
  std::vector<DeviceBuffer<std::uint32_t>> buffers_;
  std::vector<Stream> streams_;           // Of each buffer,
  std::optional<EngineStreams> engines_;  // or of each engine.
  std::optional<TilePace> pace_;
  std::unique_ptr<WorkerPool> threads_;
  std::string range_;
  PartTimes parts_;
};

}  // namespace lapscope::workloads::streams

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

// A tile that passes through a pipeline. The hooks of a recipe get it.
struct TileJob {
  std::size_t tile = 0;
  std::size_t lane = 0;                  // Index of the buffer; mostly also of the stream.
  cudaStream_t stream = nullptr;         // Stream of the tile, or of kernels (stream_per_engine).
  cudaStream_t next = nullptr;           // Stream of the next tile.
  const std::uint32_t* input = nullptr;  // The tile's input on the host.
};

using TileHook = std::function<void(const TileJob&)>;

// How a copy-compute-copy pipeline works. The defaults have no mistake. The broken variant of a
// case changes one thing. The hooks own the objects that they use.
//
// The order for each tile is: before, copy in, loaded, kernel, computed, copy out, step, after.
struct Recipe {
  int streams = 4;                 // Also the number of device buffers.
  bool stream_per_engine = false;  // Three streams joined by events; `streams` counts buffers.
  StreamKind kind = StreamKind::non_blocking;
  HostMemory input = HostMemory::pinned;
  HostMemory output = HostMemory::pinned;
  int threads = 1;               // Host threads that issue tiles in turn.
  bool thread_stream = false;    // Use each thread's per-thread default stream.
  std::size_t elements_out = 0;  // Elements of each tile that are copied out; 0: all.
  bool marks = false;            // Time the end of each tile by an event.

  TileHook before;
  TileHook loaded;
  TileHook computed;
  TileHook step;  // A short operation on the GPU; its length is measured.
  TileHook after;
  std::function<void()> arm;           // Before a run: wakes threads of the case.
  std::function<void()> finish;        // After the device is idle: remaining work of threads.
  std::function<double()> planted_us;  // Measures the planted operation, alone.
  std::function<void()> verify;        // Checks the results of the hooks.
  std::function<void()> clear;
};

// The program of most cases. It copies tiles in, computes on them and copies them out. The recipe
// sets the streams and the other steps.
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
  std::unique_ptr<UsualKernel> usual_;  // Replaces kernel_ if set.
  std::optional<UsualChoice> choice_;   // The kind of usual_.
  TileStore store_;
  std::vector<DeviceBuffer<std::uint32_t>> buffers_;
  std::vector<Stream> streams_;           // One per buffer, unless each engine has one.
  std::optional<EngineStreams> engines_;  // Set if each engine has a stream.
  std::optional<TilePace> pace_;
  std::unique_ptr<WorkerPool> threads_;
  std::string range_;
  PartTimes parts_;
};

}  // namespace lapscope::workloads::streams

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/harness/affine_kernels.h"
#include "workloads/harness/calibration.h"
#include "workloads/harness/device.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/tile_pipeline.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/stream_pipeline/stream_pipeline_options.h"

namespace lapscope::workloads {

// The kernel of a tile, calibrated for this GPU.
struct KernelPlan {
  std::chrono::steady_clock::time_point begin;  // When the calibration began.
  std::uint32_t iterations = 0;
  double kernel_us = 0;  // Predicted length of the kernel.
};

// One pass over all tiles. The time by the host's clock begins just before the first call, and ends
// when the device has finished.
struct PipelineRun {
  std::chrono::steady_clock::time_point begin;
  double wall_ms = 0;
};

// How long each engine of the GPU works on a tile while the other engines are busy.
struct EngineTimes {
  CopyTimes copies;
  double kernel_us = 0;
};

// The steps for each tile: copy in, compute, copy out, and a short kernel that stamps the tile. The
// constructor does all set-up without the GPU, and the checks of results read host memory. So a
// trace has only the work of the calibration and of the runs.
//
//   Pipeline pipeline(options, open_device());
//   const KernelPlan plan = pipeline.calibrate(options.kernel_us);
//   const PipelineRun run = pipeline.run(plan.iterations);  // Do no other work before this call.
//   pipeline.verify(plan.iterations);
class Pipeline {
 public:
  Pipeline(const Options& options, const DeviceInfo& device);

  // Measures the kernel and chooses its amount of work. If `kernel_us` is empty, the kernel becomes
  // as long as the copy of a tile.
  KernelPlan calibrate(std::optional<double> kernel_us) const;

  PipelineRun run(std::uint32_t iterations);

  // Checks every element and stamp of the latest run. Throws std::runtime_error if one is wrong.
  void verify(std::uint32_t iterations) const;

  // Measures the engines. Call this right after a run, to compare the run's pace with them.
  // Requires Options::engine_bound. Overwrites a tile on the device. Waits for the GPU.
  EngineTimes measure_pace(std::uint32_t iterations);

  // Returns the pace of all runs, or nothing without Options::engine_bound.
  const std::optional<TilePace>& pace() const { return pace_; }

  // Overwrites the results, so that the next run cannot pass with results of an earlier run.
  void clear() const;

 private:
  // The streams for the stages of a tile. They are the same stream unless each engine has its own.
  struct Stages {
    cudaStream_t copy_in;
    cudaStream_t compute;
    cudaStream_t copy_out;
    cudaStream_t end;  // The tile ends here. The stamp is here, too, unless in the default stream.
  };

  EngineTimes measure_engines(std::uint32_t iterations) const;
  cudaStream_t calibration_stream() const;
  Stages stages_of(std::size_t buffer) const;
  void enqueue(const Tile& tile, AffineMap map, std::uint32_t iterations);

  StreamLayout layout_;
  std::size_t elements_per_tile_;
  std::vector<Tile> schedule_;
  int clock_khz_;
  AffineKernel affine_kernel_;
  StampKernel stamp_kernel_;
  PinnedBuffer<std::uint32_t> input_;
  PinnedBuffer<std::uint32_t> output_;
  PinnedBuffer<std::uint32_t> stamps_;              // One per tile, written by the GPU.
  PinnedBuffer<std::uint64_t> cycles_;              // For the calibration.
  std::vector<DeviceBuffer<std::uint32_t>> tiles_;  // Used in turn by the tiles.
  std::optional<EngineStreams> engines_;            // Set if each engine has a stream.
  std::vector<Stream> streams_;                     // One per buffer, or one for the stamps.
  std::optional<TilePace> pace_;
};

}  // namespace lapscope::workloads

// A copy-compute-copy pipeline in CUDA streams, in four variants (see --help).

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "workloads/harness/affine.h"
#include "workloads/harness/affine_kernels.h"
#include "workloads/harness/calibration.h"
#include "workloads/harness/device.h"
#include "workloads/harness/free_memory.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/tile_pipeline.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/harness/workload_report.h"
#include "workloads/stream_pipeline/stream_pipeline_options.h"

namespace lapscope::workloads {
namespace {

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

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds stamp_length(20);

std::size_t elements_of(int tile_mib) {
  return (static_cast<std::size_t>(tile_mib) << 20) / sizeof(std::uint32_t);
}

std::uint32_t stamp_of(std::size_t tile) { return static_cast<std::uint32_t>(tile) + 1; }

Pipeline::Pipeline(const Options& options, const DeviceInfo& device)
    : layout_(layout_of(options.variant, options.buffers)),
      elements_per_tile_(elements_of(options.tile_mib)),
      schedule_(schedule_tiles(static_cast<std::size_t>(options.tiles),
                               static_cast<std::size_t>(layout_.buffers), elements_per_tile_)),
      clock_khz_(device.clock_khz),
      affine_kernel_(device.multiprocessors),
      input_(schedule_.size() * elements_per_tile_),
      output_(schedule_.size() * elements_per_tile_),
      stamps_(schedule_.size()),
      cycles_(2) {
  for (int i = 0; i < layout_.buffers; ++i) tiles_.emplace_back(elements_per_tile_);
  if (layout_.stream_per_engine) engines_.emplace(layout_.buffers, layout_.kind);
  const int of_engines = engines_ ? EngineStreams::count : 0;
  for (int i = of_engines; i < layout_.streams(); ++i) streams_.emplace_back(layout_.kind);
  if (options.engine_bound) {
    pace_.emplace(schedule_.size(), static_cast<std::size_t>(layout_.buffers));
  }
  fill_pattern(input_.span());
  clear();
  MeasuredRegion::prepare();
}

KernelPlan Pipeline::calibrate(std::optional<double> kernel_us) const {
  const auto begin = Clock::now();
  std::uint32_t* const data = tiles_.front().data();
  const cudaStream_t stream = calibration_stream();
  if (!kernel_us) {
    const LinearCost copy = measure_copy_cost(data, input_.data(), elements_per_tile_, stream);
    kernel_us = copy.predict_us(static_cast<double>(elements_per_tile_ * sizeof(std::uint32_t)));
  }
  const LinearCost kernel = measure_kernel_cost(affine_kernel_, data, elements_per_tile_,
                                                cycles_.span(), clock_khz_, stream);
  const std::uint32_t iterations = kernel.units_for(*kernel_us);
  return {begin, iterations, kernel.predict_us(iterations)};
}

PipelineRun Pipeline::run(std::uint32_t iterations) {
  const MeasuredRegion region("pipeline");
  const auto begin = Clock::now();
  for (const Tile& tile : schedule_) enqueue(tile, step, iterations);
  check(cudaDeviceSynchronize(), "wait for the pipeline");
  const std::chrono::duration<double, std::milli> wall = Clock::now() - begin;
  return {begin, wall.count()};
}

EngineTimes Pipeline::measure_pace(std::uint32_t iterations) {
  const EngineTimes engines = measure_engines(iterations);
  pace_->note_run(
      engine_bound_us(engines.copies.h2d_both_us, engines.kernel_us, engines.copies.d2h_both_us));
  return engines;
}

EngineTimes Pipeline::measure_engines(std::uint32_t iterations) const {
  const cudaStream_t stream = calibration_stream();
  const auto launch = [&] {
    affine_kernel_.launch(tiles_.front().data(), elements_per_tile_, step, iterations, stream);
  };
  const double kernel_us = stream_us(stream, launch);
  return {measure_copies(elements_per_tile_, launch), kernel_us};
}

cudaStream_t Pipeline::calibration_stream() const {
  return engines_ ? engines_->compute() : streams_.front().get();
}

Pipeline::Stages Pipeline::stages_of(std::size_t buffer) const {
  if (!engines_) {
    const cudaStream_t all = streams_[buffer].get();
    return {all, all, all, all};
  }
  const cudaStream_t end =
      layout_.stamp_in_default_stream ? engines_->copy_out() : streams_.front().get();
  return {engines_->copy_in(), engines_->compute(), engines_->copy_out(), end};
}

void Pipeline::enqueue(const Tile& tile, AffineMap map, std::uint32_t iterations) {
  const NvtxRange range(tile.label.c_str());
  const std::size_t bytes = elements_per_tile_ * sizeof(std::uint32_t);
  const Stages stages = stages_of(tile.stream);
  std::uint32_t* const data = tiles_[tile.stream].data();

  if (engines_) engines_->begin(tile.stream);
  check(cudaMemcpyAsync(data, input_.data() + tile.offset, bytes, cudaMemcpyHostToDevice,
                        stages.copy_in),
        "copy a tile to the device");
  if (engines_) engines_->loaded(tile.stream);
  affine_kernel_.launch(data, elements_per_tile_, map, iterations, stages.compute);
  if (engines_) engines_->computed(tile.stream);
  check(cudaMemcpyAsync(output_.data() + tile.offset, data, bytes, cudaMemcpyDeviceToHost,
                        stages.copy_out),
        "copy a tile to the host");
  if (engines_) engines_->drained(tile.stream);
  if (engines_ && stages.end != stages.copy_out) {
    engines_->hold_until_drained(tile.stream, stages.end);
  }

  // The planted cause: this kernel runs in the legacy default stream. There it waits for all
  // earlier work of the blocking streams. All later work of these streams waits for it.
  stamp_kernel_.launch(stamps_.data() + tile.index, stamp_of(tile.index), stamp_length,
                       layout_.stamp_in_default_stream ? cudaStreamLegacy : stages.end);
  if (pace_) pace_->mark(tile.index, stages.end);
}

void Pipeline::verify(std::uint32_t iterations) const {
  if (const auto wrong = find_mismatch(output_.span(), power(step, iterations))) {
    throw std::runtime_error("wrong result: element " + std::to_string(wrong->index) + " is " +
                             std::to_string(wrong->found) + " and should be " +
                             std::to_string(wrong->expected));
  }
  for (const Tile& tile : schedule_) {
    if (stamps_.span()[tile.index] == stamp_of(tile.index)) continue;
    throw std::runtime_error("wrong result: " + tile.label + " was not stamped as done");
  }
}

void Pipeline::clear() const {
  std::ranges::fill(output_.span(), 0U);
  std::ranges::fill(stamps_.span(), 0U);
}

// Returns the report of one or more verified runs. README.md explains each line.
Report report_pipeline(const Options& options, const DeviceInfo& device, const KernelPlan& plan,
                       const std::vector<PipelineRun>& runs) {
  const std::chrono::duration<double, std::micro> calibration = runs.front().begin - plan.begin;
  Report report;
  report.add("workload", "stream_pipeline");
  report.add("variant", variant_name(options.variant));
  report.add("device", device.name);
  report.add_count("tiles", options.tiles);
  const StreamLayout layout = layout_of(options.variant, options.buffers);
  report.add_count("buffers", layout.buffers);
  report.add_count("streams", layout.streams());
  report.add_count("tile_mib", options.tile_mib);
  report.add_number("kernel_us", plan.kernel_us);
  report.add_count("kernel_iterations", plan.iterations);
  report.add_number("calibration_us", calibration.count());
  report.add_count("repeats", options.repeats);

  std::vector<double> walls;
  for (const PipelineRun& run : runs) {
    walls.push_back(run.wall_ms);
    report.add_number("run_" + std::to_string(walls.size()) + "_wall_ms", run.wall_ms);
  }
  report.add_number("wall_ms", median(walls));
  return report;
}

// Adds the lines of --engine-bound: medians of the engines' times, measured after each run.
void add_pace(Report& report, const TilePace& pace, const std::vector<EngineTimes>& engines) {
  const auto add = [&](const char* key, auto us_of) {
    std::vector<double> us;
    for (const EngineTimes& each : engines) us.push_back(us_of(each));
    report.add_number(key, median(us));
  };
  add("h2d_us", [](const EngineTimes& each) { return each.copies.h2d_us; });
  add("d2h_us", [](const EngineTimes& each) { return each.copies.d2h_us; });
  add("h2d_both_us", [](const EngineTimes& each) { return each.copies.h2d_both_us; });
  add("d2h_both_us", [](const EngineTimes& each) { return each.copies.d2h_both_us; });
  add("kernel_alone_us", [](const EngineTimes& each) { return each.kernel_us; });
  pace.report(report);
}

void run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) return;
  const DeviceInfo device = open_device();
  require_memory(memory_needed(*options), free_memory(1),
                 "use fewer --tiles or a smaller --tile-mib");
  Pipeline pipeline(*options, device);
  const KernelPlan plan = pipeline.calibrate(options->kernel_us);

  std::vector<PipelineRun> runs;
  std::vector<EngineTimes> engines;
  for (int i = 0; i < options->repeats; ++i) {
    if (i > 0) pipeline.clear();
    runs.push_back(pipeline.run(plan.iterations));
    pipeline.verify(plan.iterations);
    if (options->engine_bound) engines.push_back(pipeline.measure_pace(plan.iterations));
  }
  Report report = report_pipeline(*options, device, plan, runs);
  if (options->engine_bound) add_pace(report, *pipeline.pace(), engines);
  report.add("verified", "yes");
  std::cout << report;
}

}  // namespace
}  // namespace lapscope::workloads

int main(int argc, char** argv) {
  return lapscope::workloads::guard("stream_pipeline",
                                    [&] { lapscope::workloads::run(argc, argv); });
}

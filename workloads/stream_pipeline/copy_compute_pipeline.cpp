#include "workloads/stream_pipeline/copy_compute_pipeline.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "workloads/harness/affine.h"
#include "workloads/harness/calibration.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"

namespace lapscope::workloads {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds stamp_length(20);

std::size_t elements_of(int tile_mib) {
  return (static_cast<std::size_t>(tile_mib) << 20) / sizeof(std::uint32_t);
}

std::uint32_t stamp_of(std::size_t tile) { return static_cast<std::uint32_t>(tile) + 1; }

}  // namespace

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

}  // namespace lapscope::workloads

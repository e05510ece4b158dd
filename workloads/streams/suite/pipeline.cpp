#include "workloads/streams/suite/pipeline.h"

#include <algorithm>
#include <utility>

#include "workloads/harness/measured_region.h"
#include "workloads/harness/timing.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/turns.h"

namespace lapscope::workloads::streams {
namespace {

void call(const TileHook& hook, const TileJob& job) {
  if (hook) hook(job);
}

}  // namespace

Pipeline::Pipeline(const Setting& setting, Recipe recipe)
    : shape_(setting.shape),
      recipe_(std::move(recipe)),
      schedule_(schedule_tiles(static_cast<std::size_t>(shape_.tiles),
                               static_cast<std::size_t>(recipe_.streams), shape_.tile_elements())),
      kernel_(setting),
      store_(shape_, recipe_.input, recipe_.output),
      range_(setting.range) {
  if (recipe_.elements_out == 0) recipe_.elements_out = shape_.tile_elements();
  for (int i = 0; i < recipe_.streams; ++i) {
    buffers_.emplace_back(shape_.tile_elements());
    streams_.emplace_back(recipe_.kind);
  }
  if (recipe_.marks) pace_.emplace(schedule_.size());
  if (recipe_.threads > 1) threads_ = std::make_unique<WorkerPool>(recipe_.threads);
}

TileJob Pipeline::job_of(std::size_t tile) const {
  const auto stream_of = [this](std::size_t lane) {
    return recipe_.thread_stream ? cudaStreamPerThread : streams_[lane].get();
  };
  const std::size_t lane = tile % streams_.size();
  return {tile, lane, stream_of(lane), stream_of((tile + 1) % streams_.size()), store_.input(tile)};
}

PartTimes Pipeline::calibrate() {
  measure_round_trip(parts_);
  std::uint32_t* const data = buffers_.front().data();
  const cudaStream_t stream = streams_.front().get();
  parts_.kernel_us = kernel_.calibrate(data, stream);
  measure_copies(parts_, shape_, [&] { kernel_.launch(data, stream); });
  measure_hand_over();
  if (threads_) warm_threads();
  if (recipe_.step) measure_step(parts_);
  if (recipe_.planted_us) parts_.planted_us = recipe_.planted_us();
  check(cudaDeviceSynchronize(), "wait for the calibration");
  return parts_;
}

// What a tile takes alone, in pinned memory, beyond its operations: the engines give way to each
// other.
void Pipeline::measure_hand_over() {
  if (recipe_.input == HostMemory::pageable || recipe_.output == HostMemory::pageable) return;
  const TileJob job = job_of(0);
  const double tile_us = stream_us(job.stream, [&] {
    copy_in(0, job);
    kernel_.launch(buffers_.front().data(), job.stream);
    copy_out(0, job);
  });
  constexpr int hand_overs = 3;
  const double operations_us = parts_.h2d_us + parts_.kernel_us + parts_.d2h_us;
  parts_.hand_over_us = std::max(0.0, tile_us - operations_us) / hand_overs;
}

// Between events in the stream that waits for the step whatever stream it is in. Each lane has done
// the step once before: the first time may load and allocate things.
void Pipeline::measure_step(PartTimes& parts) {
  for (std::size_t lane = 0; lane < streams_.size(); ++lane) recipe_.step(job_of(lane));
  check(cudaDeviceSynchronize(), "wait for a calibration");
  const TileJob job = job_of(0);
  const bool blocking = recipe_.kind == StreamKind::blocking || recipe_.thread_stream;
  parts.step_us = stream_us(blocking ? cudaStreamLegacy : job.stream, [&] { recipe_.step(job); });
}

// The first call of a thread, and the first use of its default stream, take longer than later ones.
void Pipeline::warm_threads() {
  threads_->on_each([this](int worker) {
    const TileJob job = job_of(static_cast<std::size_t>(worker));
    check(cudaSetDevice(0), "open the device in a thread");
    kernel_.launch(buffers_[job.lane].data(), job.stream);
    check(cudaStreamSynchronize(job.stream), "wait for a thread's first launch");
  });
}

void Pipeline::run() {
  if (threads_) {
    issue_in_turns();
  } else {
    for (const Tile& tile : schedule_) issue(tile);
  }
  check(cudaDeviceSynchronize(), "wait for the pipeline");
  if (recipe_.finish) recipe_.finish();
}

void Pipeline::issue_in_turns() {
  Turns turns;
  threads_->on_each([&](int worker) {
    const NvtxRange range(range_.c_str());
    for (const Tile& tile : schedule_) {
      if (tile.index % static_cast<std::size_t>(threads_->size()) !=
          static_cast<std::size_t>(worker)) {
        continue;
      }
      const Turns::Turn turn = turns.take(tile.index);
      issue(tile);
    }
  });
}

void Pipeline::issue(const Tile& tile) {
  const NvtxRange range(tile.label.c_str());
  const TileJob job = job_of(tile.index);
  std::uint32_t* const data = buffers_[job.lane].data();

  call(recipe_.before, job);
  copy_in(tile.index, job);
  call(recipe_.loaded, job);
  kernel_.launch(data, job.stream);
  call(recipe_.computed, job);
  copy_out(tile.index, job);
  call(recipe_.step, job);
  if (pace_) pace_->mark(tile.index, job.stream);
  call(recipe_.after, job);
}

void Pipeline::copy_in(std::size_t tile, const TileJob& job) const {
  check(cudaMemcpyAsync(buffers_[job.lane].data(), store_.input(tile), store_.bytes(),
                        cudaMemcpyHostToDevice, job.stream),
        "copy a tile to the device");
}

void Pipeline::copy_out(std::size_t tile, const TileJob& job) const {
  check(cudaMemcpyAsync(store_.output(tile), buffers_[job.lane].data(),
                        recipe_.elements_out * sizeof(std::uint32_t), cudaMemcpyDeviceToHost,
                        job.stream),
        "copy a tile to the host");
}

void Pipeline::verify() {
  if (pace_) pace_->note_run(engine_bound_us(parts_));
  store_.verify(kernel_.map(), recipe_.elements_out);
  if (recipe_.verify) recipe_.verify();
}

void Pipeline::clear() {
  store_.clear();
  if (recipe_.clear) recipe_.clear();
}

void Pipeline::arm() {
  if (threads_) threads_->wake();
  if (recipe_.arm) recipe_.arm();
}

void Pipeline::report(Report& report) const {
  report.add_count("streams", recipe_.streams);
  if (pace_) pace_->report(report);
}

}  // namespace lapscope::workloads::streams

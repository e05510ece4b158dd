#include "workloads/streams/suite/pipeline.h"

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
  for (int i = 0; recipe_.marks && i < shape_.tiles; ++i) {
    marks_.push_back(std::make_unique<Event>());
  }
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
  measure_copies(parts_, shape_);
  parts_.kernel_us = kernel_.calibrate(buffers_.front().data(), streams_.front().get());
  if (threads_) warm_threads();
  if (recipe_.step) measure_step(parts_);
  if (recipe_.planted_us) parts_.planted_us = recipe_.planted_us();
  check(cudaDeviceSynchronize(), "wait for the calibration");
  return parts_;
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
  check(cudaMemcpyAsync(data, store_.input(tile.index), store_.bytes(), cudaMemcpyHostToDevice,
                        job.stream),
        "copy a tile to the device");
  call(recipe_.loaded, job);
  kernel_.launch(data, job.stream);
  call(recipe_.computed, job);
  check(
      cudaMemcpyAsync(store_.output(tile.index), data, recipe_.elements_out * sizeof(std::uint32_t),
                      cudaMemcpyDeviceToHost, job.stream),
      "copy a tile to the host");
  call(recipe_.step, job);
  if (recipe_.marks) marks_[tile.index]->record(job.stream);
  call(recipe_.after, job);
}

void Pipeline::verify() {
  store_.verify(kernel_.map(), recipe_.elements_out);
  if (recipe_.verify) recipe_.verify();
}

void Pipeline::clear() {
  store_.clear();
  if (recipe_.clear) recipe_.clear();
}

// From a third of the way to the end of the last tile but one: neither filling nor draining.
double Pipeline::measured_period_us() const {
  const std::size_t from = marks_.size() / 3;
  const std::size_t to = marks_.size() - 2;
  return marks_[to]->us_since(*marks_[from]) / static_cast<double>(to - from);
}

void Pipeline::report(Report& report) const {
  report.add_count("streams", recipe_.streams);
  if (marks_.size() < 8) return;
  report.add_number("engine_bound_ms", shape_.tiles * engine_bound_us(parts_) / 1e3);
  report.add_number("engine_bound_us_per_tile", engine_bound_us(parts_));
  report.add_number("steady_us_per_tile", measured_period_us());
  report.add_number("steady_ratio", measured_period_us() / engine_bound_us(parts_));
}

}  // namespace lapscope::workloads::streams

#include "workloads/streams/suite/pipeline.h"

#include <algorithm>
#include <utility>

#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/planted.h"
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
      choice_(setting.usual),
      store_(shape_, recipe_.input, recipe_.output),
      range_(setting.range) {
  if (recipe_.elements_out == 0) recipe_.elements_out = shape_.tile_elements();
  for (int i = 0; i < recipe_.streams; ++i) {
    buffers_.emplace_back(shape_.tile_elements());
    if (!recipe_.stream_per_engine) streams_.emplace_back(recipe_.kind);
  }
  if (recipe_.stream_per_engine) engines_.emplace(recipe_.streams, recipe_.kind);
  if (choice_) {
    usual_ = make_usual_kernel(choice_->kind, choice_->share, setting.device.multiprocessors,
                               buffers_.size());
  }
  if (recipe_.marks && !usual_) pace_.emplace(schedule_.size(), buffers_.size());
  if (recipe_.threads > 1) threads_ = std::make_unique<WorkerPool>(recipe_.threads);
}

TileJob Pipeline::job_of(std::size_t tile) const {
  const auto stream_of = [this](std::size_t lane) {
    if (engines_) return engines_->compute();
    return recipe_.thread_stream ? cudaStreamPerThread : streams_[lane].get();
  };
  const std::size_t lane = tile % buffers_.size();
  return {tile, lane, stream_of(lane), stream_of((tile + 1) % buffers_.size()), store_.input(tile)};
}

PartTimes Pipeline::calibrate() {
  if (usual_) {
    calibrate_usual();
    return parts_;
  }
  measure_round_trip(parts_);
  parts_.kernel_us = kernel_.calibrate(buffers_.front().data(), job_of(0).stream);
  measure_engines(parts_);
  measure_hand_over();
  if (threads_) warm_threads();
  if (recipe_.step) measure_step(parts_);
  if (recipe_.planted_us) parts_.planted_us = recipe_.planted_us();
  check(cudaDeviceSynchronize(), "wait for the calibration");
  return parts_;
}

// Chooses the amount of work of the kernel from the bound and the measured times of the copies,
// unless --works gave it. Measures no other parts, because no expectations hold for these kernels.
void Pipeline::calibrate_usual() {
  const TileJob job = job_of(0);
  if (choice_->work == 0) {
    measure_copies(parts_, shape_);
    const double wanted_us = kernel_us_for(choice_->bound, std::max(parts_.h2d_us, parts_.d2h_us));
    choice_->work = work_for(*usual_, wanted_us, job.stream);
  }
  parts_.kernel_us =
      stream_us(job.stream, [&] { usual_->launch(job.lane, choice_->work, job.stream); });
  if (threads_) warm_threads();
  // The first copies and the first step of a stream take longer than later ones.
  for (std::size_t lane = 0; lane < buffers_.size(); ++lane) {
    const TileJob job_of_lane = job_of(lane);
    copy_in(0, job_of_lane, engines_ ? engines_->copy_in() : job_of_lane.stream);
    copy_out(0, job_of_lane, engines_ ? engines_->copy_out() : job_of_lane.stream);
    if (recipe_.step) recipe_.step(job_of_lane);
    check(cudaDeviceSynchronize(), "wait for a lane's first tile");
  }
}

void Pipeline::launch_kernel(const TileJob& job) {
  if (usual_) {
    usual_->launch(job.lane, choice_->work, job.stream);
  } else {
    kernel_.launch(buffers_[job.lane].data(), job.stream);
  }
}

// Usual kernels work on their own memory and do not change the tiles.
AffineMap Pipeline::map() const { return usual_ ? AffineMap{} : kernel_.map(); }

// Measures copies: alone, and while the other direction and the kernel run.
void Pipeline::measure_engines(PartTimes& parts) {
  std::uint32_t* const data = buffers_.front().data();
  measure_copies(parts, shape_, [&] { kernel_.launch(data, job_of(0).stream); });
}

// Measures how long the hand-over from one engine to the next takes. The time of a tile minus the
// times of its operations is the time of three hand-overs. The tile is in pinned memory, and
// nothing else runs.
void Pipeline::measure_hand_over() {
  if (recipe_.input == HostMemory::pageable || recipe_.output == HostMemory::pageable) return;
  const TileJob job = job_of(0);
  const double tile_us = stream_us(job.stream, [&] {
    copy_in(0, job, job.stream);
    kernel_.launch(buffers_.front().data(), job.stream);
    copy_out(0, job, job.stream);
  });
  constexpr int hand_overs = 3;
  const double operations_us = parts_.h2d_us + parts_.kernel_us + parts_.d2h_us;
  parts_.hand_over_us = std::max(0.0, tile_us - operations_us) / hand_overs;
}

// Measures the step with two events. The stream of these events waits for the work of the step,
// whatever streams this work is in. Each lane first runs the step once, because the first run may
// load and allocate things.
void Pipeline::measure_step(PartTimes& parts) {
  for (std::size_t lane = 0; lane < buffers_.size(); ++lane) recipe_.step(job_of(lane));
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
    launch_kernel(job);
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
  const cudaStream_t in = engines_ ? engines_->copy_in() : job.stream;
  const cudaStream_t out = engines_ ? engines_->copy_out() : job.stream;

  call(recipe_.before, job);
  if (engines_) engines_->begin(job.lane);
  // If the mistake is a setting (memory, streams, threads, or a variable), PLANTED marks the call
  // that this setting makes wrong. In the case "host-work", the mistake is in `recipe_.before`,
  // which makes no CUDA call. So PLANTED marks the next CUDA call.
  PLANTED("pageable-copy, pageable-registered, host-work", copy_in(tile.index, job, in));
  if (engines_) engines_->loaded(job.lane);
  call(recipe_.loaded, job);
  PLANTED("launch-blocking", launch_kernel(job));
  call(recipe_.computed, job);
  if (engines_) engines_->computed(job.lane);
  PLANTED("pipeline, buffer-depth, threads-one-stream, pageable-output",
          copy_out(tile.index, job, out));
  if (engines_) engines_->drained(job.lane);
  call(recipe_.step, job);
  if (pace_) pace_->mark(tile.index, out);
  call(recipe_.after, job);
}

void Pipeline::copy_in(std::size_t tile, const TileJob& job, cudaStream_t stream) const {
  check(cudaMemcpyAsync(buffers_[job.lane].data(), store_.input(tile), store_.bytes(),
                        cudaMemcpyHostToDevice, stream),
        "copy a tile to the device");
}

void Pipeline::copy_out(std::size_t tile, const TileJob& job, cudaStream_t stream) const {
  check(
      cudaMemcpyAsync(store_.output(tile), buffers_[job.lane].data(),
                      recipe_.elements_out * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream),
      "copy a tile to the host");
}

void Pipeline::verify() {
  if (pace_) {
    // Measures the engines after each run, because the link's rate varies on a shared host.
    PartTimes now = parts_;
    measure_engines(now);
    pace_->note_run(engine_bound_us(now));
  }
  store_.verify(map(), recipe_.elements_out);
  if (usual_) usual_->verify();
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
  report.add_count("streams", engines_ ? EngineStreams::count : recipe_.streams);
  if (pace_) pace_->report(report);
  if (usual_) report.add_count(choice_->name() + "_work", choice_->work);
}

}  // namespace lapscope::workloads::streams

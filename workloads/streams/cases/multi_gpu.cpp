// Distributes tiles over several GPUs.

#include <memory>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/tile_pipeline.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

constexpr int gpus = 2;
constexpr std::size_t lanes = 3;

// The kernel is longer than the copies of a tile. Otherwise the host's memory, which all GPUs
// share, would limit this case.
constexpr double long_kernel_us = 400;

// The stream and the buffer of a tile on a GPU.
struct Lane {
  explicit Lane(const Setting& setting)
      : buffer(setting.shape.tile_elements()), stream(StreamKind::non_blocking) {}

  DeviceBuffer<std::uint32_t> buffer;
  Stream stream;
};

// The objects of one GPU.
struct Worker {
  explicit Worker(const Setting& setting) : kernel(setting, AffineKernel::Waves::several) {
    for (std::size_t i = 0; i < lanes; ++i) all.emplace_back(setting);
  }

  const Lane& lane_of(const Tile& tile) const { return all[tile.index / gpus % lanes]; }

  TileKernel kernel;
  std::vector<Lane> all;
};

class FanOut : public Workload {
 public:
  explicit FanOut(const Setting& setting)
      : shape_(setting.shape),
        wait_for_each_(setting.broken()),
        store_(shape_),
        schedule_(schedule_tiles(static_cast<std::size_t>(shape_.tiles), gpus, store_.elements())) {
    for (int gpu = 0; gpu < gpus; ++gpu) {
      const CurrentDevice current(gpu);
      workers_.push_back(std::make_unique<Worker>(setting));
    }
  }

  PartTimes calibrate() override {
    PartTimes parts;
    measure_round_trip(parts);
    measure_copies(parts, shape_);
    Worker& first = *workers_.front();
    const Lane& lane = first.all.front();
    parts.kernel_us = first.kernel.calibrate(lane.buffer.data(), lane.stream.get());
    for (int gpu = 1; gpu < gpus; ++gpu) {
      const CurrentDevice current(gpu);
      Worker& worker = *workers_[static_cast<std::size_t>(gpu)];
      worker.kernel.adopt(first.kernel);
      const Lane& there = worker.all.front();
      worker.kernel.measure(there.buffer.data(), there.stream.get());  // The first launch there.
    }
    return parts;
  }

  void run() override {
    for (const Tile& tile : schedule_) {
      const NvtxRange range(tile.label.c_str());
      const CurrentDevice current(static_cast<int>(tile.stream));
      const Worker& worker = *workers_[tile.stream];
      const Lane& lane = worker.lane_of(tile);
      check(cudaMemcpyAsync(lane.buffer.data(), store_.input(tile.index), store_.bytes(),
                            cudaMemcpyHostToDevice, lane.stream.get()),
            "copy a tile to a device");
      worker.kernel.launch(lane.buffer.data(), lane.stream.get());
      check(cudaMemcpyAsync(store_.output(tile.index), lane.buffer.data(), store_.bytes(),
                            cudaMemcpyDeviceToHost, lane.stream.get()),
            "copy a tile to the host");
      // The planted cause: during this wait, the other GPU is idle.
      if (wait_for_each_) PLANTED("multi-gpu-fan-out", wait());
    }
    for (int gpu = 0; gpu < gpus; ++gpu) {
      const CurrentDevice current(gpu);
      wait();
    }
  }

  void verify() override { store_.verify(workers_.front()->kernel.map()); }
  void clear() override { store_.clear(); }

 private:
  static void wait() { check(cudaDeviceSynchronize(), "wait for a device"); }

  Shape shape_;
  bool wait_for_each_;
  TileStore store_;
  std::vector<Tile> schedule_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

// The expectation for one GPU. The sum contains only the tiles of this GPU. This GPU is idle during
// the first or the last tile of the run, which belongs to the other GPU.
Expectation gpu_after_gpu(const PartTimes& parts, const Shape& shape) {
  Expectation result = serial_with_round_trips(parts, shape);
  result.gpu_us = result.wall_us * (shape.tiles - 1) / shape.tiles;
  result.sum_us /= gpus;
  return result;
}

Expectation all_gpus(const PartTimes& parts, const Shape& shape) {
  Shape of_one = shape;
  of_one.tiles /= gpus;
  Expectation result = pipelined(parts, of_one, static_cast<int>(lanes));
  result.sum_us = serial(parts, of_one).sum_us;  // Kernels do not overlap.
  return result;
}

}  // namespace

std::vector<Case> multi_gpu_cases() {
  Case result = pair_of(
      {.name = "multi-gpu-fan-out",
       .wrong = "The host deals the tiles to two GPUs and waits for each tile before it deals the "
                "next: one GPU works at a time.",
       .fix = "Issue to all GPUs first, in several streams on each, and wait for them after that."},
      Cause::host_sync, gpu_after_gpu, all_gpus);
  result.needs.gpus = gpus;
  result.kernel_us = long_kernel_us;
  result.make = [](const Setting& setting) { return std::make_unique<FanOut>(setting); };
  return {result};
}

}  // namespace lapscope::workloads::streams

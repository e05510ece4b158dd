// A long kernel fills the device, and then comes a short urgent kernel. If the urgent kernel is
// late, the long copy of its results is late by the same time.

#include <algorithm>

#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/chain_work.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

int highest_priority() {
  int lowest = 0;
  int highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "read the range of priorities");
  return highest;
}

class Urgent : public Workload {
 public:
  explicit Urgent(const Setting& setting)
      : shape_(setting.shape),
        wave_{.blocks = static_cast<unsigned>(setting.device.multiprocessors),
              .shared_bytes = ChainKernel::most_shared_bytes()},
        waves_(static_cast<std::size_t>(shape_.tiles)),
        work_(waves_ + 1, std::size_t{wave_.blocks} * wave_.threads),
        store_(shape_),
        device_(waves_ * store_.elements()),
        urgent_(StreamKind::non_blocking, setting.broken() ? 0 : highest_priority()) {
    check(cudaMemcpy(device_.data(), store_.input(0), waves_ * store_.bytes(),
                     cudaMemcpyHostToDevice),
          "copy the results to the device");
  }

  PartTimes calibrate() override {
    PartTimes parts;
    measure_copies(parts, shape_);
    iterations_ = work_.iterations_for(shape_.kernel_us, wave_, work_.elements(), long_.get());
    parts.kernel_us = stream_us(urgent_.get(), [&] { launch_urgent(); });
    parts.other_us = stream_us(long_.get(), [&] { launch_long(); });
    return parts;
  }

  void run() override {
    PLANTED("priority-inversion", launch_long());
    PLANTED("priority-inversion", launch_urgent());
    for (std::size_t tile = 0; tile < waves_; ++tile) {
      const TileRange range(tile);
      check(cudaMemcpyAsync(store_.output(tile), device_.data() + tile * store_.elements(),
                            store_.bytes(), cudaMemcpyDeviceToHost, urgent_.get()),
            "copy a tile to the host");
    }
    check(cudaDeviceSynchronize(), "wait for the device");
  }

  void verify() override {
    work_.verify();
    store_.verify(AffineMap{});
  }
  void clear() override { store_.clear(); }

 private:
  // Launches several waves of blocks. Each wave works on one region.
  void launch_long() {
    Grid grid = wave_;
    grid.blocks *= static_cast<unsigned>(waves_);
    work_.launch(0, waves_, step, iterations_, grid, long_.get());
  }
  void launch_urgent() { work_.launch(waves_, 1, step, iterations_, wave_, urgent_.get()); }

  Shape shape_;
  Grid wave_;
  std::size_t waves_;
  ChainWork work_;
  TileStore store_;
  DeviceBuffer<std::uint32_t> device_;
  Stream long_{StreamKind::non_blocking};
  Stream urgent_;
  std::uint32_t iterations_ = 0;
};

double copies_us(const PartTimes& parts, const Shape& shape) { return shape.tiles * parts.d2h_us; }

double sum_us(const PartTimes& parts, const Shape& shape) {
  return parts.other_us + parts.kernel_us + copies_us(parts, shape);
}

Expectation urgent_last(const PartTimes& parts, const Shape& shape) {
  return {sum_us(parts, shape), sum_us(parts, shape)};
}

// The urgent kernel runs after the first wave of blocks, so the long kernel ends one wave later.
Expectation urgent_next(const PartTimes& parts, const Shape& shape) {
  const double wave = parts.other_us / shape.tiles;
  const double urgent = wave + parts.kernel_us;
  return {std::max(urgent + copies_us(parts, shape), parts.other_us + parts.kernel_us),
          sum_us(parts, shape) + parts.kernel_us};
}

}  // namespace

std::vector<Case> priority_cases() {
  Case result = pair_of(
      {.name = "priority-inversion",
       .wrong =
           "An urgent kernel is launched behind a long one with thousands of blocks, in a "
           "stream of the same priority, and gets room only when that one has no block left to "
           "start.",
       .fix = "Give the urgent stream a higher priority: its blocks are the next to start."},
      Cause::sm_saturated, urgent_last, urgent_next);
  result.make = [](const Setting& setting) { return std::make_unique<Urgent>(setting); };
  return {result};
}

}  // namespace lapscope::workloads::streams

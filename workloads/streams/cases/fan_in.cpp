// A small graph of kernels, ordered by events. In each round, three kernels prepare parts of an
// array. A fourth kernel combines the parts. A long kernel, which has nothing to do with them,
// starts together with the first three.
//
//   prepare 1  A         needed: `combine` starts after the three A
//   prepare 2  A         needless: `combine` also waits for L
//   prepare 3  A
//   long       LLLL
//   combine     CCCC

#include <algorithm>
#include <array>

#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/chain_work.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"

namespace lapscope::workloads::streams {
namespace {

constexpr std::size_t parts_of_array = 3;
constexpr std::size_t long_region = parts_of_array;
constexpr std::uint32_t times_longer = 3;  // Of the long kernel and of the combination.
constexpr Grid part_grid{.blocks = 1};

// Differs from the map of the first three kernels, so that a wrong order gives a wrong result.
constexpr AffineMap combination{22695477U, 1U};

int rounds_of(const Shape& shape) { return std::max(1, shape.tiles / 4); }

class FanIn : public Workload {
 public:
  explicit FanIn(const Setting& setting)
      : shape_(setting.shape),
        wait_for_long_(setting.broken()),
        work_(parts_of_array + 1, part_grid.threads) {}

  PartTimes calibrate() override {
    PartTimes parts;
    const cudaStream_t stream = streams_[0].get();
    iterations_ = work_.iterations_for(shape_.kernel_us, part_grid, part_grid.threads, stream);
    parts.kernel_us = stream_us(stream, [&] { launch(0, 1, step, iterations_, stream); });
    parts.other_us = stream_us(
        stream, [&] { launch(long_region, 1, step, times_longer * iterations_, stream); });
    return parts;
  }

  void run() override {
    for (int round = 0; round < rounds_of(shape_); ++round) {
      const TileRange range(round);
      for (std::size_t i = 0; i <= long_region; ++i) {
        const cudaStream_t stream = streams_[i].get();
        if (round > 0) combined_.hold(stream);
        launch(i, 1, step, (i == long_region ? times_longer : 1) * iterations_, stream);
        ready_[i].record(stream);
      }
      combine();
    }
    check(cudaDeviceSynchronize(), "wait for the device");
  }

  void verify() override { work_.verify(); }

 private:
  void launch(std::size_t region, std::size_t count, AffineMap map, std::uint32_t iterations,
              cudaStream_t stream) {
    work_.launch(region, count, map, iterations, {.blocks = static_cast<unsigned>(count)}, stream);
  }

  void combine() {
    const cudaStream_t stream = combine_.get();
    // The planted cause: the fourth edge is not needed.
    const std::size_t edges = wait_for_long_ ? parts_of_array + 1 : parts_of_array;
    for (std::size_t i = 0; i < edges; ++i) PLANTED("event-fan-in", ready_[i].hold(stream));
    launch(0, parts_of_array, combination, times_longer * iterations_, stream);
    combined_.record(stream);
  }

  Shape shape_;
  bool wait_for_long_;
  ChainWork work_;
  std::array<Stream, parts_of_array + 1> streams_{
      Stream(StreamKind::non_blocking), Stream(StreamKind::non_blocking),
      Stream(StreamKind::non_blocking), Stream(StreamKind::non_blocking)};
  std::array<Event, parts_of_array + 1> ready_{
      Event(EventKind::ordering), Event(EventKind::ordering), Event(EventKind::ordering),
      Event(EventKind::ordering)};
  Stream combine_{StreamKind::non_blocking};
  Event combined_{EventKind::ordering};
  std::uint32_t iterations_ = 0;
};

// The long kernel takes `other_us`, and the kernel that combines takes `other_us`, too.
double sum_us(const PartTimes& parts) {
  return parts_of_array * parts.kernel_us + 2 * parts.other_us;
}

Expectation after_the_long_one(const PartTimes& parts, const Shape& shape) {
  return {rounds_of(shape) * 2 * parts.other_us, rounds_of(shape) * sum_us(parts)};
}

Expectation beside_the_long_one(const PartTimes& parts, const Shape& shape) {
  return {rounds_of(shape) * (parts.kernel_us + parts.other_us), rounds_of(shape) * sum_us(parts)};
}

}  // namespace

std::vector<Case> fan_in_cases() {
  Case result = pair_of(
      {.name = "event-fan-in",
       .wrong =
           "A kernel that combines three results waits for the events of all four kernels, one "
           "of which is long and none of its inputs.",
       .fix = "Wait for the events of the inputs only."},
      Cause::event_wait, after_the_long_one, beside_the_long_one);
  result.ignored = {"--tile-mib"};
  result.make = [](const Setting& setting) { return std::make_unique<FanIn>(setting); };
  return {result};
}

}  // namespace lapscope::workloads::streams

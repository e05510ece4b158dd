// Kernels in two streams that could overlap if the multiprocessors had room for both.

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

// Returns a grid with one block per multiprocessor or, for half-grid, one per two multiprocessors.
Grid grid_of(const Setting& setting) {
  const auto processors = static_cast<unsigned>(setting.device.multiprocessors);
  if (setting.broken())
    return {.blocks = processors, .shared_bytes = ChainKernel::most_shared_bytes()};
  if (setting.variant == "half-grid") {
    return {.blocks = processors / 2, .shared_bytes = ChainKernel::most_shared_bytes()};
  }
  return {.blocks = processors};
}

std::size_t elements_of(const Setting& setting) {
  return Grid{}.threads * static_cast<std::size_t>(setting.device.multiprocessors);
}

class Room : public Workload {
 public:
  explicit Room(const Setting& setting)
      : shape_(setting.shape), grid_(grid_of(setting)), work_(2, elements_of(setting)) {}

  PartTimes calibrate() override {
    PartTimes parts;
    const cudaStream_t stream = streams_[0].get();
    // All variants do the same work. A full grid has one thread per element.
    const Grid whole{.blocks = static_cast<unsigned>(work_.elements() / Grid{}.threads)};
    iterations_ = work_.iterations_for(shape_.kernel_us, whole, work_.elements(), stream);
    parts.kernel_us =
        stream_us(stream, [&] { work_.launch(0, 1, step, iterations_, grid_, stream); });
    return parts;
  }

  void run() override {
    for (int tile = 0; tile < shape_.tiles; ++tile) {
      const TileRange range(tile);
      const std::size_t lane = static_cast<std::size_t>(tile) % streams_.size();
      PLANTED("sm-filling-kernels",
              work_.launch(lane, 1, step, iterations_, grid_, streams_[lane].get()));
    }
    check(cudaDeviceSynchronize(), "wait for the kernels");
  }

  void verify() override { work_.verify(); }

 private:
  Shape shape_;
  Grid grid_;
  ChainWork work_;
  std::array<Stream, 2> streams_{Stream(StreamKind::non_blocking),
                                 Stream(StreamKind::non_blocking)};
  std::uint32_t iterations_ = 0;
};

Expectation one_at_a_time(const PartTimes& parts, const Shape& shape) {
  return {shape.tiles * parts.kernel_us, shape.tiles * parts.kernel_us};
}

Expectation two_at_a_time(const PartTimes& parts, const Shape& shape) {
  return {(shape.tiles + 1) / 2 * parts.kernel_us, shape.tiles * parts.kernel_us};
}

}  // namespace

std::vector<Case> room_cases() {
  Case result = pair_of(
      {.name = "sm-filling-kernels",
       .wrong = "Each block reserves all shared memory of a multiprocessor, so that a kernel fills "
                "the device and the other stream's kernel waits; with half the blocks (half-grid) "
                "two kernels run at once, each twice as long.",
       .fix = "Reserve no more than the block uses: there is room for both kernels."},
      Cause::sm_saturated, one_at_a_time, two_at_a_time);
  result.variants.insert(result.variants.end() - 1,
                         {.name = "half-grid", .causes = {}, .expect = two_at_a_time});
  result.ignored = {"--tile-mib"};
  result.make = [](const Setting& setting) { return std::make_unique<Room>(setting); };
  return {result};
}

}  // namespace lapscope::workloads::streams

// Cases with kernels that occupy the device for a long time. Persistent kernels take work from a
// queue. The blocks of cooperative kernels wait for each other. Meanwhile, a chain of short kernels
// in another stream needs a few multiprocessors.

#include <algorithm>
#include <memory>

#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/chain_work.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"

namespace lapscope::workloads::streams {
namespace {

enum class Residence { persistent, cooperative };

// Returns how many multiprocessors the short kernels need. This is an eighth of the device.
unsigned needed_beside(const DeviceInfo& device) {
  return std::max(1U, static_cast<unsigned>(device.multiprocessors) / 8);
}

// Returns how often the long kernel passes over its data. All short kernels together take slightly
// longer than the long kernel.
int passes_of(const Shape& shape) { return std::max(1, shape.tiles * 3 / 4); }

template <Residence residence>
class Resident : public Workload {
 public:
  explicit Resident(const Setting& setting)
      : shape_(setting.shape),
        processors_(static_cast<unsigned>(setting.device.multiprocessors)),
        beside_(needed_beside(setting.device)),
        long_grid_{.blocks = setting.broken() ? processors_ : processors_ - beside_,
                   .shared_bytes = ChainKernel::most_shared_bytes()},
        short_grid_{.blocks = beside_, .shared_bytes = ChainKernel::most_shared_bytes()},
        regions_(
            static_cast<std::size_t>(residence == Residence::persistent ? passes_of(shape_) : 1)),
        long_work_(regions_, std::size_t{Grid{}.threads} * (processors_ - beside_)),
        short_work_(1, std::size_t{Grid{}.threads} * beside_),
        counters_(2) {
    check(cudaMemset(counters_.data(), 0, 2 * sizeof(std::uint32_t)), "clear the queue");
    check(cudaDeviceSynchronize(), "wait for the queue to be cleared");
  }

  PartTimes calibrate() override {
    PartTimes parts;
    const cudaStream_t stream = short_.get();
    iterations_ =
        short_work_.iterations_for(shape_.kernel_us, short_grid_, short_work_.elements(), stream);
    parts.kernel_us = stream_us(stream, [&] { launch_short(); });
    parts.other_us = stream_us(long_.get(), [&] { launch_long(); });
    return parts;
  }

  void run() override {
    launch_long();
    for (int tile = 0; tile < shape_.tiles; ++tile) {
      const TileRange range(tile);
      launch_short();
    }
    check(cudaDeviceSynchronize(), "wait for the kernels");
  }

  void verify() override {
    long_work_.verify();
    short_work_.verify();
  }

 private:
  void launch_short() { short_work_.launch(0, 1, step, iterations_, short_grid_, short_.get()); }

  void launch_long() {
    const ChainKernel& kernel = long_work_.kernel();
    const std::size_t elements = regions_ * long_work_.elements();
    if constexpr (residence == Residence::persistent) {
      PLANTED("persistent-kernel",
              kernel.launch_persistent(long_work_.data(0), elements, step, iterations_, long_grid_,
                                       counters_.data(), counters_.data() + 1, long_.get()));
      long_work_.note(0, regions_, step, iterations_);
    } else {
      const int passes = passes_of(shape_);
      PLANTED("cooperative-kernel",
              kernel.launch_cooperative(long_work_.data(0), elements, step, iterations_, passes,
                                        long_grid_, long_.get()));
      long_work_.note(0, regions_, step,
                      std::uint64_t{iterations_} * static_cast<unsigned>(passes));
    }
  }

  Shape shape_;
  unsigned processors_;
  unsigned beside_;
  Grid long_grid_;
  Grid short_grid_;
  std::size_t regions_;
  ChainWork long_work_;
  ChainWork short_work_;
  DeviceBuffer<std::uint32_t> counters_;
  Stream long_{StreamKind::non_blocking};
  Stream short_{StreamKind::non_blocking};
  std::uint32_t iterations_ = 0;
};

double short_us(const PartTimes& parts, const Shape& shape) {
  return shape.tiles * parts.kernel_us;
}

Expectation short_after_long(const PartTimes& parts, const Shape& shape) {
  const double both = parts.other_us + short_us(parts, shape);
  return {both, both};
}

Expectation short_beside_long(const PartTimes& parts, const Shape& shape) {
  return {std::max(parts.other_us, short_us(parts, shape)),
          parts.other_us + short_us(parts, shape)};
}

template <Residence residence>
Case resident(Text text) {
  Case result = pair_of(std::move(text), Cause::sm_saturated, short_after_long, short_beside_long);
  result.ignored = {"--tile-mib"};
  result.make = [](const Setting& setting) {
    return std::make_unique<Resident<residence>>(setting);
  };
  return result;
}

}  // namespace

std::vector<Case> resident_cases() {
  return {
      resident<Residence::persistent>(
          {.name = "persistent-kernel",
           .wrong = "A persistent kernel takes every multiprocessor for as long as it has work; "
                    "short kernels of another stream wait for its end.",
           .fix = "Launch it with fewer blocks, and leave the short kernels a few "
                  "multiprocessors."}),
      resident<Residence::cooperative>(
          {.name = "cooperative-kernel",
           .wrong = "A cooperative kernel is launched with as many blocks as the device holds, "
                    "more than its data needs; short kernels of another stream wait for its "
                    "end.",
           .fix = "Launch as many blocks as the data needs."})};
}

}  // namespace lapscope::workloads::streams

// An iterative method: each iteration needs the whole result of the one before.

#include "workloads/harness/affine_kernel.h"
#include "workloads/harness/buffers.h"
#include "workloads/harness/calibration.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timing.h"
#include "workloads/streams/cases/families.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

Shape one_tile(Shape shape) {
  shape.tiles = 1;
  return shape;
}

class Solver : public Workload {
 public:
  explicit Solver(const Setting& setting)
      : shape_(setting.shape),
        clock_khz_(setting.device.clock_khz),
        kernel_(setting.device.multiprocessors),
        store_(one_tile(shape_)),
        cycles_(2),
        device_(store_.elements()) {}

  PartTimes calibrate() override {
    PartTimes parts;
    measure_copies(parts, shape_);
    const LinearCost cost = measure_kernel_cost(kernel_, device_.data(), store_.elements(),
                                                cycles_.span(), clock_khz_, stream_.get());
    iterations_ = cost.units_for(shape_.kernel_us);
    parts.kernel_us = stream_us(stream_.get(), [this] { iterate(); });
    return parts;
  }

  void run() override {
    check(cudaMemcpyAsync(device_.data(), store_.input(0), store_.bytes(), cudaMemcpyHostToDevice,
                          stream_.get()),
          "copy the problem to the device");
    for (int i = 0; i < shape_.tiles; ++i) {
      const NvtxRange range(("tile " + std::to_string(i)).c_str());
      iterate();
    }
    check(cudaMemcpyAsync(store_.output(0), device_.data(), store_.bytes(), cudaMemcpyDeviceToHost,
                          stream_.get()),
          "copy the solution to the host");
    check(cudaDeviceSynchronize(), "wait for the solver");
  }

  void verify() override {
    store_.verify(power(step, std::uint64_t{iterations_} * static_cast<unsigned>(shape_.tiles)));
  }
  void clear() override { store_.clear(); }

 private:
  void iterate() const {
    kernel_.launch(device_.data(), store_.elements(), step, iterations_, stream_.get());
  }

  Shape shape_;
  int clock_khz_;
  AffineKernel kernel_;
  TileStore store_;
  PinnedBuffer<std::uint64_t> cycles_;
  DeviceBuffer<std::uint32_t> device_;
  Stream stream_{StreamKind::non_blocking};
  std::uint32_t iterations_ = 0;
};

Expectation one_chain(const PartTimes& parts, const Shape& shape) {
  const double all = parts.h2d_us + shape.tiles * parts.kernel_us + parts.d2h_us;
  return {all, all};
}

}  // namespace

std::vector<Case> solver_cases() {
  return {{.name = "iterative-solver",
           .wrong = "Nothing is wrong: every iteration needs the result of the one before, so that "
                    "one stream is all that can be used.",
           .fix = "No stream makes this faster; only fewer or faster iterations do.",
           .variants = {{.name = "control", .causes = {}, .expect = one_chain}},
           .make = [](const Setting& setting) { return std::make_unique<Solver>(setting); }}};
}

}  // namespace lapscope::workloads::streams

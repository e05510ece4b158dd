// A case with an iterative method. Each iteration needs the whole result of the previous iteration.

#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/streams/suite/case_registry.h"
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
        kernel_(setting),
        store_(one_tile(shape_)),
        device_(store_.elements()) {}

  PartTimes calibrate() override {
    PartTimes parts;
    measure_copies(parts, shape_);
    parts.kernel_us = kernel_.calibrate(device_.data(), stream_.get());
    return parts;
  }

  void run() override {
    check(cudaMemcpyAsync(device_.data(), store_.input(0), store_.bytes(), cudaMemcpyHostToDevice,
                          stream_.get()),
          "copy the problem to the device");
    for (int i = 0; i < shape_.tiles; ++i) {
      const TileRange range(i);
      kernel_.launch(device_.data(), stream_.get());
    }
    check(cudaMemcpyAsync(store_.output(0), device_.data(), store_.bytes(), cudaMemcpyDeviceToHost,
                          stream_.get()),
          "copy the solution to the host");
    check(cudaDeviceSynchronize(), "wait for the solver");
  }

  void verify() override { store_.verify(kernel_.map(static_cast<std::uint64_t>(shape_.tiles))); }
  void clear() override { store_.clear(); }

 private:
  Shape shape_;
  TileKernel kernel_;
  TileStore store_;
  DeviceBuffer<std::uint32_t> device_;
  Stream stream_{StreamKind::non_blocking};
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

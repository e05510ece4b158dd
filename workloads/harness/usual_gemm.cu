// A matrix product by cuBLAS.

#include <vector>

#include "workloads/harness/blas.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/usual_kinds.h"

namespace lapscope::workloads {

// This kernel is outside the unnamed namespace, so that its name in a trace is short.
__global__ void fill_ones(float* values, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    values[i] = 1;
  }
}

namespace {

// Multiplies two matrices of ones. Each entry of the product therefore equals the inner
// dimension. Each lane has its own handle, because only one stream at a time may use the workspace
// of a handle.
class GemmKernel : public UsualKernel {
 public:
  GemmKernel(unsigned blocks, std::size_t lanes)
      : rows_(tile * matrix_tiles(blocks).rows),
        columns_(tile * matrix_tiles(blocks).columns),
        a_(std::size_t{rows_} * most_depth),
        b_(std::size_t{columns_} * most_depth),
        c_(lanes * entries()),
        last_(lanes, 0) {
    for (std::size_t i = 0; i < lanes; ++i) {
      handles_.push_back(blas_.create());
      blas_.limit(handles_.back(), static_cast<int>(blocks));
    }
    fill_with_ones(a_, std::size_t{rows_} * most_depth);
    fill_with_ones(b_, std::size_t{columns_} * most_depth);
  }
  GemmKernel(const GemmKernel&) = delete;
  GemmKernel& operator=(const GemmKernel&) = delete;
  ~GemmKernel() override {
    for (const Blas::Handle handle : handles_) blas_.destroy(handle);
  }
  void launch(std::size_t lane, std::uint32_t work, cudaStream_t stream) override {
    last_[lane] = work * depth_of_work;
    blas_.use(handles_[lane], stream);
    blas_.multiply(handles_[lane], static_cast<int>(rows_), static_cast<int>(columns_),
                   static_cast<int>(last_[lane]), a_.data(), b_.data(), product(lane));
  }
  Works works() const override { return {8, 64, most_depth / depth_of_work}; }
  void verify() override {
    for (std::size_t lane = 0; lane < last_.size(); ++lane) {
      for (const std::size_t i : {std::size_t{0}, entries() - 1}) {
        require_equal(fetched(product(lane) + i), static_cast<float>(last_[lane]),
                      "an entry of a product");
      }
    }
  }

 private:
  static constexpr unsigned tile = 128;
  static constexpr unsigned depth_of_work = 32;
  static constexpr unsigned most_depth = 32768;

  static void fill_with_ones(const DeviceBuffer<float>& values, std::size_t count) {
    fill_ones<<<256, 256>>>(values.data(), count);
    require_launched();
  }
  std::size_t entries() const { return std::size_t{rows_} * columns_; }
  float* product(std::size_t lane) const { return c_.data() + lane * entries(); }

  Blas blas_;
  unsigned rows_;
  unsigned columns_;
  DeviceBuffer<float> a_;
  DeviceBuffer<float> b_;
  DeviceBuffer<float> c_;
  std::vector<std::uint32_t> last_;  // Inner dimension of each lane's last product.
  std::vector<Blas::Handle> handles_;
};

}  // namespace

std::unique_ptr<UsualKernel> make_gemm(unsigned blocks, std::size_t lanes) {
  return std::make_unique<GemmKernel>(blocks, lanes);
}

}  // namespace lapscope::workloads

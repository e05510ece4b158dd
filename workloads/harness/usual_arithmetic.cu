// A compute-bound kernel.

#include <cmath>
#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/harness/usual_kinds.h"

namespace lapscope::workloads {
namespace {

constexpr unsigned chains = 4;
constexpr unsigned steps_of_chain = 64;  // For each unit of work.
constexpr unsigned threads_of_chains = 256;

}  // namespace

// This kernel is outside the unnamed namespace, so that its name in a trace is short.
__global__ void multiply_add_chains(float* results, std::uint32_t work) {
  float x[chains];
#pragma unroll
  for (unsigned c = 0; c < chains; ++c) x[c] = static_cast<float>(c);
  for (std::uint32_t k = 0; k < work; ++k) {
#pragma unroll 16
    for (unsigned s = 0; s < steps_of_chain; ++s) {
#pragma unroll
      for (unsigned c = 0; c < chains; ++c) x[c] = fmaf(x[c], 0.999F, 0.001F);
    }
  }
  results[blockIdx.x * blockDim.x + threadIdx.x] = (x[0] + x[1]) + (x[2] + x[3]);
}

namespace {

class ArithmeticKernel : public UsualKernel {
 public:
  ArithmeticKernel(unsigned blocks, std::size_t lanes)
      : blocks_(blocks), last_(lanes, 0), results_(lanes * threads()) {
    load(multiply_add_chains);
  }
  void launch(std::size_t lane, std::uint32_t work, cudaStream_t stream) override {
    last_[lane] = work;
    multiply_add_chains<<<blocks_, threads_of_chains, 0, stream>>>(
        results_.data() + lane * threads(), work);
    require_launched();
  }
  Works works() const override { return {96, 768, 1U << 22}; }
  void verify() override {
    for (std::size_t lane = 0; lane < last_.size(); ++lane) {
      float x[chains];
      for (unsigned c = 0; c < chains; ++c) x[c] = static_cast<float>(c);
      for (std::uint64_t s = 0; s < std::uint64_t{last_[lane]} * steps_of_chain; ++s) {
        for (float& each : x) each = std::fmaf(each, 0.999F, 0.001F);
      }
      require_equal(fetched(results_.data() + (lane + 1) * threads() - 1),
                    (x[0] + x[1]) + (x[2] + x[3]), "the end of a chain");
    }
  }

 private:
  std::size_t threads() const { return std::size_t{blocks_} * threads_of_chains; }

  unsigned blocks_;
  std::vector<std::uint32_t> last_;  // Work of each lane's last launch.
  DeviceBuffer<float> results_;
};

}  // namespace

std::unique_ptr<UsualKernel> make_arithmetic(unsigned blocks, std::size_t lanes) {
  return std::make_unique<ArithmeticKernel>(blocks, lanes);
}

}  // namespace lapscope::workloads

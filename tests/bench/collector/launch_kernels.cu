#include "tests/bench/collector/launch_kernels.h"

namespace {

__global__ void nothing() {}

__global__ void spin(std::int64_t cycles) {
  const std::int64_t begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

}  // namespace

void launch_nothing(cudaStream_t stream) { nothing<<<1, 1, 0, stream>>>(); }
void launch_spin(std::int64_t cycles, cudaStream_t stream) { spin<<<1, 1, 0, stream>>>(cycles); }

void launch_nothing_with_priority(cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributePriority;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, nothing);
}

#include "workloads/harness/cuda_check.h"
#include "workloads/harness/device_timer.cuh"
#include "workloads/harness/stamp_kernel.h"

namespace lapscope::workloads {

// Outside the unnamed namespace to keep its name short in a trace.
__global__ void stamp_tile(std::uint32_t* slot, std::uint32_t value, std::uint64_t wait_ns) {
  const std::uint64_t start = device_timer_ns();
  while (device_timer_ns() - start < wait_ns) {
  }
  *slot = value;
}

StampKernel::StampKernel() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, stamp_tile), "load the kernel stamp_tile");
}

void StampKernel::launch(std::uint32_t* slot, std::uint32_t value, std::chrono::nanoseconds wait,
                         cudaStream_t stream) const {
  stamp_tile<<<1, 1, 0, stream>>>(slot, value, static_cast<std::uint64_t>(wait.count()));
  check(cudaGetLastError(), "launch the kernel stamp_tile");
}

}  // namespace lapscope::workloads

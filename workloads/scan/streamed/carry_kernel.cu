#include "workloads/harness/cuda_check.h"
#include "workloads/scan/streamed/carry_kernel.h"

namespace lapscope::workloads::scan {

__global__ void take_carry(const std::uint32_t* last, std::uint32_t* carry) { *carry = *last; }

void prepare_carry() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, take_carry), "load the kernel take_carry");
}

void hand_on_carry(const std::uint32_t* last, std::uint32_t* carry, cudaStream_t stream) {
  take_carry<<<1, 1, 0, stream>>>(last, carry);
  check(cudaGetLastError(), "launch the kernel take_carry");
}

}  // namespace lapscope::workloads::scan

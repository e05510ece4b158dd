#include <atomic>

#include "workloads/harness/cuda_check.h"
#include "workloads/harness/device_timer.cuh"
#include "workloads/harness/stream_gate.h"

namespace lapscope::workloads {
namespace {

constexpr std::uint64_t patience_ns = 1'000'000'000;

}  // namespace

// Outside the unnamed namespace to keep its name short in a trace.
__global__ void wait_at_gate(const volatile std::uint32_t* flag, std::uint32_t turn) {
  const std::uint64_t start = device_timer_ns();
  while (*flag != turn && device_timer_ns() - start < patience_ns) {
  }
}

StreamGate::StreamGate() : flag_(1) {
  flag_.data()[0] = turn_;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, wait_at_gate), "load the kernel wait_at_gate");
}

void StreamGate::close(cudaStream_t stream) {
  wait_at_gate<<<1, 1, 0, stream>>>(flag_.data(), ++turn_);
  check(cudaGetLastError(), "launch the kernel wait_at_gate");
}

void StreamGate::open() {
  std::atomic_ref<std::uint32_t>(flag_.data()[0]).store(turn_, std::memory_order_release);
}

}  // namespace lapscope::workloads

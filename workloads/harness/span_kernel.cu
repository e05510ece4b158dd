#include "workloads/harness/cuda_check.h"
#include "workloads/harness/device_timer.cuh"
#include "workloads/harness/span_kernel.h"

namespace lapscope::workloads {
namespace {

constexpr int threads_per_block = 32;

__device__ void publish(std::uint64_t* slot, std::uint64_t value) {
  *static_cast<volatile std::uint64_t*>(slot) = value;
  __threadfence_system();
}

// The GPU writes the value behind the compiler's back.
bool is_written(const std::uint64_t& value) {
  return static_cast<const volatile std::uint64_t&>(value) != 0;
}

}  // namespace

// Outside the unnamed namespace to keep its name short in a trace.
__global__ void wait_span(KernelSpan* span, std::uint64_t length_ns) {
  const std::uint64_t start = device_timer_ns();
  const bool first = blockIdx.x == 0 && threadIdx.x == 0;
  if (first) publish(&span->start_ns, start);
  while (device_timer_ns() - start < length_ns) {
  }
  if (first) publish(&span->end_ns, device_timer_ns());
}

SpanKernel::SpanKernel() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, wait_span), "load the kernel wait_span");
}

void SpanKernel::launch(KernelSpan* span, std::chrono::nanoseconds length, int blocks,
                        cudaStream_t stream) const {
  wait_span<<<static_cast<unsigned>(blocks), threads_per_block, 0, stream>>>(
      span, static_cast<std::uint64_t>(length.count()));
  check(cudaGetLastError(), "launch the kernel wait_span");
}

const void* SpanKernel::function() { return reinterpret_cast<const void*>(wait_span); }

bool has_started(const KernelSpan& span) { return is_written(span.start_ns); }

bool has_ended(const KernelSpan& span) { return is_written(span.end_ns); }

}  // namespace lapscope::workloads

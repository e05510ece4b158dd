#include "workloads/harness/timed_kernels.h"

#include <atomic>
#include <cstdint>

#include "workloads/harness/device.h"

namespace lapscope::workloads {

// Returns the GPU's wall clock in ns. On some GPUs, this clock advances only once per microsecond.
__device__ inline std::uint64_t device_timer_ns() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

namespace {

constexpr int threads_per_block = 32;

__device__ void publish(std::uint64_t* slot, std::uint64_t value) {
  *static_cast<volatile std::uint64_t*>(slot) = value;
  __threadfence_system();
}

// Reads as volatile, since the GPU writes the value.
bool is_written(const std::uint64_t& value) {
  return static_cast<const volatile std::uint64_t&>(value) != 0;
}

}  // namespace

// The kernels are outside the unnamed namespace, so that their names in a trace are short.
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

__global__ void keep_stream_busy(std::uint64_t length_ns) {
  const std::uint64_t start = device_timer_ns();
  while (device_timer_ns() - start < length_ns) {
  }
}

void keep_busy(std::chrono::nanoseconds length, cudaStream_t stream) {
  keep_stream_busy<<<1, 1, 0, stream>>>(static_cast<std::uint64_t>(length.count()));
  check(cudaGetLastError(), "launch the kernel keep_stream_busy");
}

namespace {

constexpr std::uint64_t patience_ns = 1'000'000'000;

}  // namespace

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

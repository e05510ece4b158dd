#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>

#include "workloads/harness/handles.h"

namespace lapscope::workloads {

// When a kernel started and ended, by the GPU's nanosecond timer. 0 means not yet.
struct KernelSpan {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

// A kernel that waits for a given time and records when it ran. Spans of different streams can be
// compared. The host sees each time as soon as it is written. Other kernels have room beside this
// kernel, because it has one warp per block and no shared memory.
class SpanKernel {
 public:
  // Loads the kernel, so that the first launch loads nothing.
  SpanKernel();

  // Each block waits for `length`. The first block writes its times to `span`, which must be pinned
  // host memory that is set to 0. With one block for each multiprocessor, the kernel uses all
  // multiprocessors.
  void launch(KernelSpan* span, std::chrono::nanoseconds length, int blocks,
              cudaStream_t stream) const;

  // Returns the kernel for calls that need one, such as cudaFuncSetAttribute.
  static const void* function();
};

// Return whether the kernel of `span` has started or ended. Can be called while the kernel runs.
bool has_started(const KernelSpan& span);
bool has_ended(const KernelSpan& span);

// A kernel of one thread that waits, and then writes `value` to `*slot`.
//
// It resembles the small bookkeeping kernels of real programs, which do harm only in the wrong
// stream. It waits by the GPU's nanosecond timer, so its length is the same beside another kernel.
// On some GPUs the timer advances only once per microsecond, so use StampKernel for 10 us and more.
class StampKernel {
 public:
  // Loads the kernel, so that the first launch loads nothing.
  StampKernel();

  // `slot` may be device memory or pinned host memory.
  void launch(std::uint32_t* slot, std::uint32_t value, std::chrono::nanoseconds wait,
              cudaStream_t stream) const;
};

// Keeps a stream busy for `length`.
void keep_busy(std::chrono::nanoseconds length, cudaStream_t stream);

// Returns how long the work that `issue` puts into `stream` takes on the GPU, in us. Issues the
// work twice and measures only the second issue, because the first may load code. The stream is
// kept busy until the work and the events around it are issued. The result therefore contains no
// delays of the host, for example by a profiler. Waits for the GPU. `issue` may make calls that
// wait. Use this function for work of 10 us and more.
template <typename Issue>
double stream_us(cudaStream_t stream, Issue&& issue) {
  constexpr std::chrono::microseconds slow_host(150);
  Event begin;
  Event end;
  issue();
  keep_busy(slow_host, stream);
  begin.record(stream);
  issue();
  end.record(stream);
  check(cudaStreamSynchronize(stream), "wait for a calibration");
  return end.us_since(begin);
}

// Holds a stream back until all work to measure is issued. Two events then measure only the time on
// the device.
//
//   gate.close(stream);
//   begin.record(stream); launch(...); end.record(stream);
//   gate.open();
//
// While the gate is closed, a call that waits, such as an allocation, waits for the gate. After a
// second, the gate opens by itself. The measurement is then useless, but the program does not hang.
class StreamGate {
 public:
  StreamGate();
  void close(cudaStream_t stream);
  void open();

 private:
  PinnedBuffer<std::uint32_t> flag_;
  std::uint32_t turn_ = 0;
};

}  // namespace lapscope::workloads

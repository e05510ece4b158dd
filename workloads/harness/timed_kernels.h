#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>

#include "workloads/harness/handles.h"

namespace lapscope::workloads {

// Start and end of a kernel on the GPU's nanosecond timer; 0 before they have happened.
struct KernelSpan {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

// A kernel that waits for a given time and records when it ran, without the host's help. Spans of
// different streams are comparable, and the host sees the start and the end while the kernel runs.
//
// It has one warp per block and no shared memory, so that other kernels find room beside it.
class SpanKernel {
 public:
  // Loads the kernel, so that the first launch does not include loading.
  SpanKernel();

  // Each block waits for `length`. `span` gets the times of the first block. It must be pinned host
  // memory, set to 0. One block for each multiprocessor keeps all multiprocessors in use.
  void launch(KernelSpan* span, std::chrono::nanoseconds length, int blocks,
              cudaStream_t stream) const;

  // Returns the kernel, for calls that take one, such as cudaFuncSetAttribute.
  static const void* function();
};

// Return whether the kernel of `span` has started or ended. May be called while the kernel runs.
bool has_started(const KernelSpan& span);
bool has_ended(const KernelSpan& span);

// A one-thread kernel that waits, then writes `value` to `*slot`.
//
// It is like the small bookkeeping kernels of real programs: short, and harmful only in the wrong
// stream. It waits by the GPU's nanosecond timer instead of counted work. It therefore takes no
// longer beside a kernel that saturates the multiprocessor. On some GPUs the timer advances only
// once per microsecond: use StampKernel for 10 us and more.
class StampKernel {
 public:
  // Loads the kernel, so that the first launch does not include loading.
  StampKernel();

  // `slot` may be device memory or pinned host memory.
  void launch(std::uint32_t* slot, std::uint32_t value, std::chrono::nanoseconds wait,
              cudaStream_t stream) const;
};

// Keeps a stream busy for `length`.
void keep_busy(std::chrono::nanoseconds length, cudaStream_t stream);

// Returns the time on the GPU, in us, of the work that `issue` puts into `stream`. Issues the work
// twice and times the second run, which loads nothing. Keeps the stream busy until both events are
// queued. The time therefore excludes delays on the host, for example by a profiler. Waits for the
// GPU. `issue` may make calls that wait. Use it for work of 10 us and more.
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

// Holds a stream back until all timed work is queued. Two events then measure only the device's
// time.
//
//   gate.close(stream);
//   begin.record(stream); launch(...); end.record(stream);
//   gate.open();
//
// Queue only calls that do not wait. A call that waits, such as an allocation, waits for the gate.
// The gate opens by itself after a second. The sample is then useless, but the run does not hang.
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

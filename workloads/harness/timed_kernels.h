#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>

#include "workloads/harness/handles.h"

namespace lapscope::workloads {

// When a kernel ran, on the GPU's nanosecond timer; 0 where it has not come to that yet.
struct KernelSpan {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

// A kernel that waits for a known time and records when it ran, without help from the host: spans
// of several streams can be compared, and the host can see a kernel start and end while it runs.
//
// One warp per block and no shared memory, so that other kernels always find room beside it.
class SpanKernel {
 public:
  // Loads the kernel now, so that the first launch does not pay for it.
  SpanKernel();

  // Each block waits for `length`; the span is the one of the first block. With as many blocks as
  // the GPU has multiprocessors, all of them are in use. `span` must be pinned host memory and 0.
  void launch(KernelSpan* span, std::chrono::nanoseconds length, int blocks,
              cudaStream_t stream) const;

  // For calls that take a kernel, such as cudaFuncSetAttribute.
  static const void* function();
};

// Whether the kernel of `span` has started, has ended. May be asked while it runs.
bool has_started(const KernelSpan& span);
bool has_ended(const KernelSpan& span);

// A one-thread kernel that waits for a while, then writes `value` to `*slot`.
//
// It stands for the little bookkeeping kernels of real programs: short, and harmless unless it
// sits in the wrong stream. It waits by the GPU's nanosecond timer, not by counted work, so that
// its length stays the same beside a kernel that saturates the multiprocessor. That timer ticks
// as coarsely as once per microsecond on some GPUs: use it for 10 us and more.
class StampKernel {
 public:
  // Loads the kernel now, so that the first launch does not pay for it.
  StampKernel();

  // `slot` may be device memory or pinned host memory.
  void launch(std::uint32_t* slot, std::uint32_t value, std::chrono::nanoseconds wait,
              cudaStream_t stream) const;
};

// Keeps a stream busy for that long.
void keep_busy(std::chrono::nanoseconds length, cudaStream_t stream);

// How long the work that `issue` puts into `stream` takes on the GPU, in us, alone. Issues it twice
// and times the second: nothing is loaded any more. The stream is kept busy until both events are
// queued, so that the time is the GPU's and not the host's, even if the host is slow because it is
// recorded. Waits, and so may what is issued. Use it for work of 10 us and more.
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

// Holds back a stream until everything to be timed is queued in it, so that the time between two
// events is the device's and not the host's.
//
//   gate.close(stream);
//   begin.record(stream); launch(...); end.record(stream);
//   gate.open();
//
// Queue only what does not wait: an allocation or a synchronising call while the gate is closed
// waits for the gate. It opens by itself after a second, so that this costs a sample, not the run.
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

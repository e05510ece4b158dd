#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>

namespace lapscope::workloads {

// When a kernel ran, on the GPU's nanosecond timer; 0 where it has not come to that yet.
struct KernelSpan {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

// A kernel that waits for a known time and tells when it ran, without help from the host: spans of
// several streams can be compared, and the host can see a kernel start and end while it runs.
//
// One warp per block and no shared memory, so that other kernels always find room beside it.
class SpanKernel {
 public:
  // Loads the kernel now, so that the first launch does not pay for it.
  SpanKernel();

  // Each block waits for `length`; the span is that of the first one. With as many blocks as the
  // GPU has multiprocessors, all of them are in use. `span` must be pinned host memory and 0.
  void launch(KernelSpan* span, std::chrono::nanoseconds length, int blocks,
              cudaStream_t stream) const;

  // For calls that take a kernel, such as cudaFuncSetAttribute.
  static const void* function();
};

// Whether the kernel of `span` has started, has ended. May be asked while it runs.
bool has_started(const KernelSpan& span);
bool has_ended(const KernelSpan& span);

}  // namespace lapscope::workloads

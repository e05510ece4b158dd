#pragma once

#include <cuda_runtime_api.h>

#include "workloads/harness/buffers.h"
#include "workloads/harness/device.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/span_kernel.h"

namespace lapscope::workloads::implicit_sync {

// What the experiments of all calls share: streams, the kernel that tells when it ran, and where it
// tells. Needs a GPU.
struct Rig {
  explicit Rig(const DeviceInfo& device);

  // Makes the driver give every stream a hardware queue of its own, or as near as it can: streams
  // that share one run in order, which would look like the call's doing. Before the first CUDA
  // call.
  static void separate_queues();

  // A short kernel in `stream`: the work of calls that are launches.
  void launch_short(cudaStream_t stream) const;

  int multiprocessors;
  SpanKernel kernel;
  PinnedBuffer<KernelSpan> spans;  // Before the call, after it, and of the call itself.
  Stream non_blocking_before, non_blocking_after, blocking_before, blocking_after;
  Stream own;  // A non-blocking stream for calls that take one.

  // Of the experiment that is going on: where the kernels before and after the call are put.
  cudaStream_t before = nullptr;
  cudaStream_t after = nullptr;

  // Local memory grows and never shrinks again, so that only a kernel that needs more of it than
  // any before tells what growing does.
  unsigned local_bytes = 2048;
  unsigned more_local_bytes() { return local_bytes += 256; }
};

}  // namespace lapscope::workloads::implicit_sync

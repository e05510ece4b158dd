#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>
#include <string_view>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/timed_kernels.h"

namespace lapscope::workloads::implicit_sync {

// What is said about a call, in the order from waiting to not waiting.
enum class Documented {
  host_waits_for_device,  // The host gets control back when the device is idle.
  host_waits_for_stream,  // … when the call's own work, and what its stream held before it, is
                          // done.
  separates_streams,      // Work issued before and after it does not run at the same time.
  may_wait,               // It may wait, for whom is not said.
  asynchronous,           // The host gets control back at once.
  leaves_streams_alone,   // Other streams go on as if it were not there.
  not_named,              // Only that any call may block.
  control,                // One of this program's own, whose outcome is known.
};

struct Claim {
  Documented says = Documented::not_named;
  std::string_view source;  // A tag that README.md explains; several are separated by ", ".
};

inline constexpr Claim not_named{Documented::not_named, "reference"};

// The column of the table: "host waits for device".
std::string_view text_of(Documented says);

// What the experiments of all calls share: streams, the kernel that records when it ran, and where
// it records that. Needs a GPU.
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

  // The streams of the current experiment, in which the kernels before and after the call run.
  cudaStream_t before = nullptr;
  cudaStream_t after = nullptr;

  // Local memory grows and never shrinks again, so that only a kernel that needs more of it than
  // any before shows what growing does.
  unsigned local_bytes = 2048;
  unsigned more_local_bytes() { return local_bytes += 256; }
};

// The call cannot be made on this machine; the message says why. It is "n/a" in the table.
class Unavailable : public SkippedError {
 public:
  using SkippedError::SkippedError;
};

// Throws Unavailable if a CUDA call failed. `action` completes "could not ...".
void require(cudaError_t error, std::string_view action);

// How to make one call again and again. Only the step `run` is timed.
struct Trial {
  std::function<void()> prepare = [] {};  // The device is idle.
  std::function<void()> arm = [] {};      // The kernel before the call runs, in `rig.before`.
  std::function<cudaError_t()> run;
  std::function<void()> clean = [] {};  // The device is idle again.

  // The stream that the call's work belongs to, asked for after `prepare`; the legacy default
  // stream for calls that take none.
  std::function<cudaStream_t()> own = [] { return cudaStreamLegacy; };
  // The stream to look at after the call, if the call destroys its own.
  std::function<cudaStream_t()> own_after;
};

// One line of the table. `name` is the function's, then perhaps a dash and how it is called.
struct Call {
  std::string_view name;
  Claim claim;
  Trial (*make)(Rig& rig);  // The trial refers to the rig. Throws SkippedError.
};

// The part of the name before the first dash.
constexpr std::string_view function_of(std::string_view name) {
  return name.substr(0, name.find('-'));
}

}  // namespace lapscope::workloads::implicit_sync

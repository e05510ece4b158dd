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

// What the documentation says about a call. The first values are for calls that wait.
enum class Documented {
  host_waits_for_device,  // The call returns when the device is idle.
  host_waits_for_stream,  // The call returns when its own work, and earlier work of its
                          // stream, is done.
  separates_streams,      // Work issued before and after it does not run at the same time.
  may_wait,               // The call may wait; documentation does not say for what.
  asynchronous,           // The call returns at once.
  leaves_streams_alone,   // Other streams go on as without the call.
  not_named,              // Documentation only remarks in general that any call may block.
  control,                // One of this program's controls, whose outcome is known.
};

struct Claim {
  Documented says = Documented::not_named;
  std::string_view source;  // A tag that README.md explains; several are separated by ", ".
};

inline constexpr Claim not_named{Documented::not_named, "reference"};

// Returns the text in the table, such as "host waits for device".
std::string_view text_of(Documented says);

// What all experiments share: the streams, the kernel that records when it ran, and memory for its
// records. Needs a GPU.
struct Rig {
  explicit Rig(const DeviceInfo& device);

  // Lets the driver use as many hardware queues as possible. Streams that share a queue run one
  // after the other, which would look like an effect of the measured call. Must be called before
  // the first CUDA call.
  static void separate_queues();

  // Launches a short kernel in `stream`. Some measured calls are launches, and use this.
  void launch_short(cudaStream_t stream) const;

  int multiprocessors;
  SpanKernel kernel;
  PinnedBuffer<KernelSpan> spans;  // Of the kernels before and after the call, and of the call.
  Stream non_blocking_before, non_blocking_after, blocking_before, blocking_after;
  Stream own;  // A non-blocking stream for calls that take one.

  // The streams of the kernels before and after the call, in the current experiment.
  cudaStream_t before = nullptr;
  cudaStream_t after = nullptr;

  // The local memory of a device grows only for a kernel that needs more of it than any earlier
  // kernel. It never shrinks.
  unsigned local_bytes = 2048;
  unsigned more_local_bytes() { return local_bytes += 256; }
};

// The call cannot be made on this machine. The message says why, and the table shows "n/a".
class Unavailable : public SkippedError {
 public:
  using SkippedError::SkippedError;
};

// Throws Unavailable if a CUDA call failed. `action` completes the words "could not ...".
void require(cudaError_t error, std::string_view action);

// The steps around one call. The program repeats them, and measures only `run`.
struct Trial {
  std::function<void()> prepare = [] {};  // The device is idle.
  std::function<void()> arm = [] {};      // A kernel runs in `rig.before`, except in time_idle().
  std::function<cudaError_t()> run;
  std::function<void()> clean = [] {};  // The device is idle again.

  // Returns the stream in which the call works, or the legacy default stream for calls without a
  // stream. It is called after `prepare`.
  std::function<cudaStream_t()> own = [] { return cudaStreamLegacy; };
  // If the call destroys its own stream, returns the stream to use after the call.
  std::function<cudaStream_t()> own_after;
};

// A line of the table. `name` is the name of the function. Some names add a dash and a variant,
// such as "cudaMalloc-4KiB".
struct Call {
  std::string_view name;
  Claim claim;
  Trial (*make)(Rig& rig);  // The trial refers to the rig. Throws SkippedError.
};

// Returns the part of the name before the first dash.
constexpr std::string_view function_of(std::string_view name) {
  return name.substr(0, name.find('-'));
}

}  // namespace lapscope::workloads::implicit_sync

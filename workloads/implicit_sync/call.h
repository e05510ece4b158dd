#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>
#include <string_view>

#include "workloads/harness/guard.h"
#include "workloads/implicit_sync/claim.h"
#include "workloads/implicit_sync/rig.h"

namespace lapscope::workloads::implicit_sync {

// The call cannot be made on this machine; the message says why. It is "n/a" in the table.
class Unavailable : public SkippedError {
 public:
  using SkippedError::SkippedError;
};

// Throws Unavailable if a CUDA call failed. `action` completes "could not ...".
void require(cudaError_t error, std::string_view action);

// How to make one call again and again. Of all steps only `run` is timed.
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

#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>
#include <string_view>

#include "workloads/harness/guard.h"

namespace lapscope::workloads {

// Throws std::runtime_error with a sentence if a CUDA call failed. `action` completes "could
// not ...":
//
//   check(cudaDeviceSynchronize(), "wait for the device");
void check(cudaError_t error, std::string_view action,
           std::source_location where = std::source_location::current());

// There is no GPU that CUDA can use: the program is skipped, not failed.
class NoDeviceError : public SkippedError {
 public:
  using SkippedError::SkippedError;
};

struct DeviceInfo {
  std::string name;
  int multiprocessors = 0;
  int clock_khz = 0;  // Nominal clock of the multiprocessors.
};

// Takes the first visible CUDA device. Throws NoDeviceError where there is none.
DeviceInfo open_device();

// Makes a device the current one of this thread, until the end of the scope; device 0 after that.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) { check(cudaSetDevice(device), "switch to a device"); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() { cudaSetDevice(0); }
};

// The versions that decide how CUDA behaves on this machine.
struct CudaVersions {
  std::string driver;        // The version of the kernel driver: "580.159.04"; "unknown" if it is
                             // not known.
  std::string cuda_driver;   // The newest CUDA that the driver knows: "13.0".
  std::string cuda_runtime;  // The version of the runtime in this program.
};

// Throws std::runtime_error if CUDA does not answer.
CudaVersions read_cuda_versions();

// "13.0" from 13000, as CUDA counts.
std::string cuda_version_text(int version);

// The version in the text of /proc/driver/nvidia/version; "unknown" if there is none.
std::string parse_driver_version(std::string_view text);

}  // namespace lapscope::workloads

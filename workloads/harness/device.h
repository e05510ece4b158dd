#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>
#include <string_view>

#include "workloads/harness/guard.h"

namespace lapscope::workloads {

// Throws std::runtime_error if a CUDA call failed. The message says "could not" and `action`:
//
//   check(cudaDeviceSynchronize(), "wait for the device");
void check(cudaError_t error, std::string_view action,
           std::source_location where = std::source_location::current());

// CUDA finds no usable GPU. The program is skipped and has not failed.
class NoDeviceError : public SkippedError {
 public:
  using SkippedError::SkippedError;
};

struct DeviceInfo {
  std::string name;
  int multiprocessors = 0;
  int clock_khz = 0;  // Nominal clock of the multiprocessors.
};

// Opens the first visible CUDA device. Throws NoDeviceError if there is none.
DeviceInfo open_device();

// Makes a device current for this thread. The destructor makes device 0 current.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) { check(cudaSetDevice(device), "switch to a device"); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() { cudaSetDevice(0); }
};

// The versions that determine CUDA's behaviour on this machine.
struct CudaVersions {
  std::string driver;        // The version of the kernel driver: "580.159.04" or "unknown".
  std::string cuda_driver;   // The newest CUDA version that the driver supports: "13.0".
  std::string cuda_runtime;  // The version of the runtime in this program.
};

CudaVersions read_cuda_versions();

// Returns "13.0" for 13000, CUDA's encoding of versions.
std::string cuda_version_text(int version);

// Returns the driver's version from the text of /proc/driver/nvidia/version, or "unknown".
std::string parse_driver_version(std::string_view text);

}  // namespace lapscope::workloads

#pragma once

#include <cuda_runtime_api.h>

#include "workloads/harness/cuda_check.h"

namespace lapscope::workloads::streams {

// Makes a device the current one of this thread, until the end of the scope; device 0 after that.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) { check(cudaSetDevice(device), "switch to a device"); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() { cudaSetDevice(0); }
};

}  // namespace lapscope::workloads::streams

#pragma once

#include <string>

#include "workloads/harness/guard.h"

namespace lapscope::workloads {

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

}  // namespace lapscope::workloads

#pragma once

#include <stdexcept>
#include <string>

namespace lapscope::workloads {

// There is no GPU that CUDA can use: the program is skipped, not failed.
class NoDeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DeviceInfo {
  std::string name;
  int multiprocessors = 0;
  int clock_khz = 0;  // Nominal clock of the multiprocessors.
};

// Takes the first visible CUDA device. Throws NoDeviceError where there is none.
DeviceInfo open_device();

}  // namespace lapscope::workloads

#pragma once

#include <string>
#include <string_view>

namespace lapscope::workloads {

// The versions that decide how CUDA behaves on this machine.
struct CudaVersions {
  std::string driver;        // Of the kernel driver: "580.159.04"; "unknown" if it does not tell.
  std::string cuda_driver;   // The newest CUDA that the driver knows: "13.0".
  std::string cuda_runtime;  // Of the runtime in this program.
};

// Throws std::runtime_error if CUDA does not answer.
CudaVersions read_cuda_versions();

// "13.0" from 13000, as CUDA counts.
std::string cuda_version_text(int version);

// The version in the text of /proc/driver/nvidia/version; "unknown" if there is none.
std::string parse_driver_version(std::string_view text);

}  // namespace lapscope::workloads

#include "workloads/harness/cuda_versions.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "workloads/harness/cuda_check.h"

namespace lapscope::workloads {

CudaVersions read_cuda_versions() {
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "read the CUDA version of the driver");
  check(cudaRuntimeGetVersion(&runtime), "read the version of the CUDA runtime");
  std::ifstream file("/proc/driver/nvidia/version");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return {parse_driver_version(text), cuda_version_text(driver), cuda_version_text(runtime)};
}

std::string cuda_version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string parse_driver_version(std::string_view text) {
  std::istringstream words{std::string(text.substr(0, text.find('\n')))};
  for (std::string word; words >> word;) {
    const bool numeric = word.find_first_not_of("0123456789.") == std::string::npos;
    if (numeric && std::ranges::count(word, '.') >= 1) return word;
  }
  return "unknown";
}

}  // namespace lapscope::workloads

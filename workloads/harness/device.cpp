#include "workloads/harness/device.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

namespace lapscope::workloads {
namespace {

// Returns the path from "workloads/" on, which does not depend on the build directory.
std::string_view short_path(std::string_view path) {
  const auto start = path.rfind("workloads/");
  return start == std::string_view::npos ? path : path.substr(start);
}

}  // namespace

void check(cudaError_t error, std::string_view action, std::source_location where) {
  if (error == cudaSuccess) return;
  std::string message = "could not ";
  message.append(action).append(": ").append(cudaGetErrorString(error));
  message.append(" (").append(cudaGetErrorName(error)).append("), at ");
  message.append(short_path(where.file_name())).append(":").append(std::to_string(where.line()));
  throw std::runtime_error(message);
}

namespace {

bool means_no_device(cudaError_t error) {
  return error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ||
         error == cudaErrorStubLibrary;
}

}  // namespace

DeviceInfo open_device() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (means_no_device(error)) {
    throw NoDeviceError(std::string("this program needs an NVIDIA GPU and its driver (") +
                        cudaGetErrorString(error) + ")");
  }
  check(error, "count the CUDA devices");
  if (count == 0) throw NoDeviceError("this program needs an NVIDIA GPU; none is visible");

  check(cudaSetDevice(0), "open CUDA device 0");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "read the properties of CUDA device 0");
  int clock_khz = 0;
  check(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0),
        "read the clock rate of CUDA device 0");
  return {properties.name, properties.multiProcessorCount, clock_khz};
}

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

#include "workloads/harness/device.h"

#include <cuda_runtime_api.h>

#include "workloads/harness/cuda_check.h"

namespace lapscope::workloads {
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

}  // namespace lapscope::workloads

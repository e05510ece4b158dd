#include "workloads/streams/suite/requirements.h"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "workloads/harness/copy_times.h"
#include "workloads/harness/cuda_check.h"
#include "workloads/harness/guard.h"

namespace lapscope::workloads::streams {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Beside the tiles: the libraries, the driver, scratch memory.
constexpr std::size_t rest = 256 * mebibyte;
constexpr std::size_t most_buffers = 16;

// Without an answer there is no reason to refuse.
std::size_t free_host_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::string unit;
  std::size_t kibibytes = 0;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return SIZE_MAX;
}

void require_bytes(const std::string& where, std::size_t needed, std::size_t available) {
  if (needed <= available) return;
  throw SkippedError("this needs " + std::to_string(needed / mebibyte) + " MiB of " + where +
                     " memory, and " + std::to_string(available / mebibyte) +
                     " MiB are free: use fewer --tiles or a smaller --tile-mib");
}

}  // namespace

void set_environment(const Variant& variant) {
  for (const auto& [name, value] : variant.environment) setenv(name.c_str(), value.c_str(), 1);
}

Memory memory_needed(const Shape& shape) {
  const auto tiles = static_cast<std::size_t>(shape.tiles);
  return {2 * (tiles + calibration_tiles) * shape.tile_bytes() + rest,
          (tiles + most_buffers) * shape.tile_bytes() + rest};
}

void require_machine(const Needs& needs, const Shape& shape) {
  int gpus = 0;
  check(cudaGetDeviceCount(&gpus), "count the CUDA devices");
  if (gpus < needs.gpus) {
    throw SkippedError("this case needs " + std::to_string(needs.gpus) + " GPUs, and " +
                       std::to_string(gpus) + (gpus == 1 ? " is" : " are") + " visible");
  }
  const Memory needed = memory_needed(shape);
  require_bytes("host", needed.host_bytes, free_host_bytes());
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "ask for free device memory");
  require_bytes("device", needed.device_bytes, free);
}

}  // namespace lapscope::workloads::streams

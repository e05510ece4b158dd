#include "workloads/harness/free_memory.h"

#include <cuda_runtime_api.h>

#include <fstream>
#include <limits>
#include <string>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"

namespace lapscope::workloads {

std::uint64_t free_host_memory() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::string unit;
  std::uint64_t kibibytes = 0;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return std::numeric_limits<std::uint64_t>::max();
}

namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

void require_bytes(const std::string& where, std::size_t needed, std::size_t free,
                   const std::string& remedy) {
  if (needed <= free) return;
  throw SkippedError("this needs " + std::to_string(needed / MiB) + " MiB of " + where + ", and " +
                     std::to_string(free / MiB) + " MiB are free: " + remedy);
}

}  // namespace

FreeMemory free_memory(int gpus) {
  FreeMemory result{free_host_memory(), {}};
  for (int gpu = 0; gpu < gpus; ++gpu) {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaSetDevice(gpu), "open a device");
    check(cudaMemGetInfo(&free, &total), "ask for free device memory");
    result.device_bytes.push_back(free);
  }
  if (gpus > 1) check(cudaSetDevice(0), "go back to the first device");
  return result;
}

void require_memory(const Memory& needed, const FreeMemory& free, const std::string& remedy) {
  require_bytes("host memory", needed.host_bytes, free.host_bytes, remedy);
  for (std::size_t gpu = 0; gpu < free.device_bytes.size(); ++gpu) {
    require_bytes("memory of GPU " + std::to_string(gpu), needed.device_bytes,
                  free.device_bytes[gpu], remedy);
  }
}

}  // namespace lapscope::workloads

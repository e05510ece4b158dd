#include "workloads/scan/bench/memory.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "workloads/harness/cuda_check.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/host_memory.h"

namespace lapscope::workloads::scan {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

std::uint64_t without_reserve(std::uint64_t bytes, std::uint64_t reserve) {
  return bytes > reserve ? bytes - reserve : 0;
}

}  // namespace

std::uint64_t free_device_memory() {
  std::size_t available = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&available, &total), "ask for the free device memory");
  return without_reserve(available, gibibyte);
}

std::uint64_t free_memory_of_host() { return without_reserve(free_host_memory(), gibibyte / 4); }

void require_memory(std::uint64_t n, std::uint64_t bytes, std::uint64_t free,
                    std::string_view kind) {
  if (bytes <= free) return;
  throw SkippedError(
      fmt::format("{} elements need {} MiB of {} memory and {} MiB are free; ask for fewer", n,
                  bytes >> 20, kind, free >> 20));
}

}  // namespace lapscope::workloads::scan

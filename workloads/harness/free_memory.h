#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lapscope::workloads {

// Returns how many bytes of host memory are available without swapping. If the system does not give
// this number, returns the largest possible number, so that no program is refused.
std::uint64_t free_host_memory();

// How much memory a program needs at most.
struct Memory {
  std::size_t host_bytes = 0;
  std::size_t device_bytes = 0;  // Per GPU.
};

// Free memory.
struct FreeMemory {
  std::size_t host_bytes = 0;
  std::vector<std::size_t> device_bytes;  // For each GPU in use.
};

// The memory of the libraries and the driver, in addition to the program's allocations.
constexpr std::size_t memory_of_cuda = std::size_t{256} << 20;

// Returns the free memory of this host and of its first `gpus` GPUs. Makes device 0 current.
FreeMemory free_memory(int gpus);

// Throws SkippedError if host or device memory does not suffice. `remedy` is advice for the user,
// such as "use fewer --tiles".
void require_memory(const Memory& needed, const FreeMemory& free, const std::string& remedy);

}  // namespace lapscope::workloads

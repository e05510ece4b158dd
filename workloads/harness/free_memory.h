#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lapscope::workloads {

// Bytes of host memory that can be taken without swapping. Without an answer from the system the
// largest number: then there is no reason to refuse.
std::uint64_t free_host_memory();

// What a program takes at most.
struct Memory {
  std::size_t host_bytes = 0;
  std::size_t device_bytes = 0;  // Per GPU.
};

// What is free.
struct FreeMemory {
  std::size_t host_bytes = 0;
  std::vector<std::size_t> device_bytes;  // For each GPU that is used.
};

// Beside what a program allocates for itself: the libraries, the driver, scratch memory.
constexpr std::size_t memory_of_cuda = std::size_t{256} << 20;

// The free memory of this host and of its first `gpus` GPUs; opens them. Leaves device 0 the
// current one.
FreeMemory free_memory(int gpus);

// Throws SkippedError if a part does not suffice. `remedy` says what the user may do: "use fewer
// --tiles".
void require_memory(const Memory& needed, const FreeMemory& free, const std::string& remedy);

}  // namespace lapscope::workloads

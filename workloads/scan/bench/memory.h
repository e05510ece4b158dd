#pragma once

#include <cstdint>
#include <string_view>

namespace lapscope::workloads::scan {

// Free device memory in bytes, less a reserve for the driver and for what is small.
std::uint64_t free_device_memory();

// Free host memory in bytes, less a reserve.
std::uint64_t free_memory_of_host();

// Throws SkippedError, "N elements need X MiB of KIND memory and Y MiB are free; ask for
// fewer", if it is too little.
void require_memory(std::uint64_t n, std::uint64_t bytes, std::uint64_t free,
                    std::string_view kind);

}  // namespace lapscope::workloads::scan

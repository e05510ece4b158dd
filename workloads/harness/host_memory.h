#pragma once

#include <cstdint>

namespace lapscope::workloads {

// Bytes of host memory that can be taken without swapping. Without an answer from the system the
// largest number: then there is no reason to refuse.
std::uint64_t free_host_memory();

}  // namespace lapscope::workloads

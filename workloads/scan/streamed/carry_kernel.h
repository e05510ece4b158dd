#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lapscope::workloads::scan {

// Loads the kernel, so that its first launch does not pay for it.
void prepare_carry();

// *carry = *last: the last result of a chunk lies to the left of the next chunk.
void hand_on_carry(const std::uint32_t* last, std::uint32_t* carry, cudaStream_t stream);

}  // namespace lapscope::workloads::scan

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lapscope::workloads::scan {

// Plants errors in right results of u32 and f32, so that the silence of a check means something:
// all zeros, zeros from the middle on, one lost element, one element off by one. Each throws
// std::runtime_error if the check does not find one, or finds something in a right result.

// The checks on the host, for results of 3000 and of 2^20 elements, which are then held to be part
// of one that rounds as often as 2^31 + 17 elements can.
void prove_host_checks();

// The checks of results on the device, for 3000, 2^20 and, if `max_n` allows, 2^28 elements.
void prove_device_checks(std::uint64_t max_n, cudaStream_t stream);

}  // namespace lapscope::workloads::scan

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>

#include "workloads/harness/buffers.h"
#include "workloads/scan/problem/reference.h"

namespace lapscope::workloads::scan {

// Writes the first `n` elements of the input to device memory.
void fill_device(Combination combination, Fill fill, void* in, std::uint64_t n,
                 cudaStream_t stream);

// Collects, on the device, the lowest index of a wrong result over many checks.
//
// A result is right if it begins right and each element follows from the one before: a check of all
// elements at once, which proves as much as a sequential scan. For exact results only.
class DeviceCheck {
 public:
  DeviceCheck();

  // Queues a check of `out`, in device memory.
  void add(const Expectation& expectation, const void* out, std::uint64_t n, cudaStream_t stream);

  // Waits. The lowest wrong index since the last call, if any.
  std::optional<std::uint64_t> first_wrong(cudaStream_t stream);

 private:
  DeviceBuffer<unsigned long long> lowest_;
};

// Waits. The first wrong index of `n` results in device memory, if any, by the host if they are few
// or inexact, else by the device.
std::optional<std::uint64_t> find_wrong(const Expectation& expectation, const void* out,
                                        std::uint64_t n, cudaStream_t stream);

}  // namespace lapscope::workloads::scan

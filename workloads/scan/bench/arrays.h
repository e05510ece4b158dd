#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workloads/harness/buffers.h"
#include "workloads/scan/problem/combination.h"

namespace lapscope::workloads::scan {

// Where the arrays of a test lie.
enum class Placement {
  aligned,     // At a multiple of 256 bytes.
  misaligned,  // One element after it.
  in_place,    // Aligned, and the output is the input.
};

// The arrays of one scan in device memory. The output has a guard of known bytes at both ends.
class DeviceArrays {
 public:
  DeviceArrays(Combination combination, std::uint64_t n, Placement placement);

  void* in() const { return in_.data() + in_offset_; }
  void* out() const { return in_place_ ? in() : out_.data() + out_offset_; }

  // Wipes the output, so that a result of before is not taken for one of now.
  void wipe(cudaStream_t stream) const;

  // Waits. Whether nothing was written beside the output. Of a scan in place nothing is known.
  bool guards_hold(cudaStream_t stream) const;

 private:
  bool in_place_;
  std::size_t in_offset_;
  std::size_t out_offset_;
  std::size_t out_bytes_;
  DeviceBuffer<std::byte> in_;
  DeviceBuffer<std::byte> out_;
};

}  // namespace lapscope::workloads::scan

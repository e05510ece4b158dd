#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "workloads/harness/handles.h"
#include "workloads/scan/rungs/problem.h"

namespace lapscope::workloads::scan {

// The position of a test's arrays. aligned: at a multiple of 256 bytes. misaligned: one element
// after it. in_place: input and output in one array.
enum class Placement { aligned, misaligned, in_place };

// The arrays of one scan in device memory. The output has a guard of known bytes at both ends.
class DeviceArrays {
 public:
  DeviceArrays(Type type, std::uint64_t n, Placement placement = Placement::aligned);

  void* in() const { return placement_ == Placement::in_place ? out() : in_.data() + offset_; }
  void* out() const { return out_.data() + guard_bytes + offset_; }

  // Overwrites the output, so that no earlier result passes as a new one. Then writes the input.
  void fill(cudaStream_t stream) const;

  // Compares all results on the device and waits for it. Returns the first wrong index, if any.
  std::optional<std::uint64_t> first_wrong(Kind kind, cudaStream_t stream) const;

  // Returns whether the guards are unchanged. Waits for the GPU.
  bool guards_hold(cudaStream_t stream) const;

  // Returns the bytes of device memory for these arrays. Their scans need little more.
  static std::uint64_t bytes_for(Type type, std::uint64_t n, Placement placement);

 private:
  static constexpr std::size_t guard_bytes = 256;

  Type type_;
  std::uint64_t n_;
  Placement placement_;
  std::size_t offset_;
  DeviceBuffer<std::byte> in_;
  DeviceBuffer<std::byte> out_;
  DeviceBuffer<unsigned long long> lowest_;
};

}  // namespace lapscope::workloads::scan

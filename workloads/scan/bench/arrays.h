#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "workloads/harness/handles.h"
#include "workloads/scan/rungs/problem.h"

namespace lapscope::workloads::scan {

// Where the arrays of a test are. aligned: at a multiple of 256 bytes. misaligned: one element
// after such a place. in_place: input and output are the same array.
enum class Placement { aligned, misaligned, in_place };

// The arrays of one scan in device memory. At both ends of the output is a guard: known bytes that
// the scan must not change.
class DeviceArrays {
 public:
  DeviceArrays(Type type, std::uint64_t n, Placement placement = Placement::aligned);

  void* in() const { return placement_ == Placement::in_place ? out() : in_.data() + offset_; }
  void* out() const { return out_.data() + guard_bytes + offset_; }

  // Overwrites the output, so that an old result cannot pass as a new one. Then writes the input.
  void fill(cudaStream_t stream) const;

  // Checks all results on the device, and waits for it. Returns the index of the first wrong one.
  std::optional<std::uint64_t> first_wrong(Kind kind, cudaStream_t stream) const;

  // Returns whether the guards are unchanged. Waits for the GPU.
  bool guards_hold(cudaStream_t stream) const;

  // Returns how many bytes of device memory these arrays take. A scan of them needs little more.
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

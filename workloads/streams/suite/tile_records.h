#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "workloads/harness/handles.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// The bookkeeping of a pipeline: a record of 4 KiB for each tile on the device, which the step at
// the end of the tile writes. How it writes is what the cases differ in.
class TileRecords {
 public:
  static constexpr std::size_t words = 1024;
  static constexpr std::size_t bytes = words * sizeof(std::uint32_t);

  explicit TileRecords(const Shape& shape);

  std::uint32_t* of(std::size_t tile) const { return records_.data() + tile * words; }
  // The record as it should be, in pinned memory and on the device.
  const std::uint32_t* wanted_on_host(std::size_t tile) const;
  const std::uint32_t* wanted_on_device(std::size_t tile) const;
  // All bytes of the record.
  static int byte_of(std::size_t tile) { return static_cast<int>(tile % 255) + 1; }

  // Throws std::runtime_error unless all records are as they should be.
  void verify() const;
  // The same for a copy of all of them.
  void verify_copy(std::span<const std::uint32_t> records) const;
  void clear() const;

 private:
  std::size_t tiles_;
  PinnedBuffer<std::uint32_t> host_;
  DeviceBuffer<std::uint32_t> wanted_;
  DeviceBuffer<std::uint32_t> records_;
};

}  // namespace lapscope::workloads::streams

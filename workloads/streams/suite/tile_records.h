#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "workloads/harness/handles.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// Device memory with a record of 4 KiB for each tile. The step at the end of a tile writes the
// tile's record. The cases differ in the operation that writes the record.
class TileRecords {
 public:
  static constexpr std::size_t words = 1024;
  static constexpr std::size_t bytes = words * sizeof(std::uint32_t);

  explicit TileRecords(const Shape& shape);

  std::uint32_t* of(std::size_t tile) const { return records_.data() + tile * words; }
  // These functions return the expected record, in pinned memory or on the device.
  const std::uint32_t* wanted_on_host(std::size_t tile) const;
  const std::uint32_t* wanted_on_device(std::size_t tile) const;
  // Returns the value that each byte of a tile's record has.
  static int byte_of(std::size_t tile) { return static_cast<int>(tile % 255) + 1; }

  // Throws std::runtime_error unless all records have the expected contents.
  void verify() const;
  // Checks a copy of all records as verify() does.
  void verify_copy(std::span<const std::uint32_t> records) const;
  void clear() const;

 private:
  std::size_t tiles_;
  PinnedBuffer<std::uint32_t> host_;
  DeviceBuffer<std::uint32_t> wanted_;
  DeviceBuffer<std::uint32_t> records_;
};

}  // namespace lapscope::workloads::streams

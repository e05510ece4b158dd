#pragma once

#include <cstdint>
#include <vector>

#include "workloads/harness/buffers.h"
#include "workloads/harness/handles.h"
#include "workloads/scan/rungs/workspace.h"
#include "workloads/scan/streamed/options.h"
#include "workloads/scan/streamed/plan.h"

namespace lapscope::workloads::scan {

// Inclusive sum of an array in host memory, chunk by chunk: copy in, scan, hand on the carry, copy
// out. The carry stays on the device; the host never waits in between.
//
// With h, k, d for the copy in, the scan and the copy out of one of N chunks, one stream takes
// about N (h + k + d); overlapped, where a scan needs the carry of the one before but copies do
// not, about (h + k + d) + (N - 1) max(h, k, d).
class StreamedScan {
 public:
  // All set-up: memory, input, a first scan that loads the kernels.
  explicit StreamedScan(const StreamedOptions& options);

  // Returns the wall time in ms, on the host's clock.
  double run();

  // Checks every element of the latest run. Throws std::runtime_error.
  void verify() const;

  std::size_t chunks() const { return plan_.size(); }
  int streams() const { return layout_.streams; }

 private:
  // What a stream owns.
  struct Lane {
    Lane(StreamKind kind, std::uint64_t count);
    Stream stream;
    DeviceBuffer<std::uint32_t> data;
    Workspace workspace;
  };

  void enqueue(const Chunk& chunk);
  void scan_chunk(const Chunk& chunk);

  StreamedLayout layout_;
  std::vector<Chunk> plan_;
  PinnedBuffer<std::uint32_t> input_;
  PinnedBuffer<std::uint32_t> output_;
  DeviceBuffer<std::uint32_t> carries_;  // carries_[i] lies to the left of chunk i.
  std::vector<Lane> lanes_;
  std::vector<OrderEvent> carried_;  // Recorded after the carry of chunk i is handed on.
};

}  // namespace lapscope::workloads::scan

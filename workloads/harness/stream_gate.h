#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workloads/harness/buffers.h"

namespace lapscope::workloads {

// Holds back a stream until everything to be timed is queued in it, so that the time between two
// events is the device's and not the host's.
//
//   gate.close(stream);
//   begin.record(stream); launch(...); end.record(stream);
//   gate.open();
//
// Queue only what does not wait: an allocation or a synchronising call while the gate is closed
// waits for the gate. It opens by itself after a second, so that this costs a sample, not the run.
class StreamGate {
 public:
  StreamGate();
  void close(cudaStream_t stream);
  void open();

 private:
  PinnedBuffer<std::uint32_t> flag_;
  std::uint32_t turn_ = 0;
};

}  // namespace lapscope::workloads

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workloads/harness/buffers.h"

namespace lapscope::workloads {

// What one multiprocessor's clocks showed.
struct ClockReading {
  std::uint64_t cycles = 0;
  std::uint64_t ns = 0;
};

// The clock that the multiprocessors really ran at between two moments of a stream: a GPU that is
// hot or has run out of power slows down, and its timings are then those of another machine.
//
// Cycles and wall time are read twice on the same multiprocessor. The wall clock's tick makes the
// result uncertain by about 1 us / (time between the moments).
class ClockProbe {
 public:
  ClockProbe();
  void begin(cudaStream_t stream) { read(stream, 0); }
  void end(cudaStream_t stream) { read(stream, 1); }

  // After both have completed. 0 if no multiprocessor ran both readings.
  double mhz() const;

 private:
  void read(cudaStream_t stream, int moment);

  int multiprocessors_;
  PinnedBuffer<ClockReading> readings_;
};

}  // namespace lapscope::workloads

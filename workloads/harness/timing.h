#pragma once

#include <cuda_runtime_api.h>

#include <chrono>

#include "workloads/harness/handles.h"

namespace lapscope::workloads {

// How long `body` takes on the host's clock, in us.
template <typename Body>
double host_us(Body&& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

// How long the work that `issue` puts into `stream` takes on the GPU, in us, alone. Issues it twice
// and times the second: the first keeps the stream busy until both events are queued, so that the
// time is the GPU's and not the host's. Waits. Use it for work of 10 us and more.
template <typename Issue>
double stream_us(cudaStream_t stream, Issue&& issue) {
  Event begin;
  Event end;
  issue();
  begin.record(stream);
  issue();
  end.record(stream);
  check(cudaStreamSynchronize(stream), "wait for a calibration");
  return end.us_since(begin);
}

}  // namespace lapscope::workloads

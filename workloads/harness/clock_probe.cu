#include <algorithm>

#include "workloads/harness/clock_probe.h"
#include "workloads/harness/cuda_check.h"
#include "workloads/harness/device_timer.cuh"

namespace lapscope::workloads {
namespace {

__device__ unsigned multiprocessor_id() {
  unsigned id = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

int count_multiprocessors() {
  int device = 0;
  int count = 0;
  check(cudaGetDevice(&device), "find the current device");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
        "count the multiprocessors");
  return count;
}

}  // namespace

// Outside the unnamed namespace to keep its name short in a trace.
__global__ void read_clocks(ClockReading* readings) {
  // The numbers of multiprocessors may have gaps: some have no slot, and are not read.
  const unsigned id = multiprocessor_id();
  if (id < gridDim.x) readings[id] = {static_cast<std::uint64_t>(clock64()), device_timer_ns()};
}

ClockProbe::ClockProbe()
    : multiprocessors_(count_multiprocessors()),
      readings_(2 * static_cast<std::size_t>(multiprocessors_)) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, read_clocks), "load the kernel read_clocks");
}

void ClockProbe::read(cudaStream_t stream, int moment) {
  if (moment == 0) std::ranges::fill(readings_.span(), ClockReading{});
  read_clocks<<<static_cast<unsigned>(multiprocessors_), 1, 0, stream>>>(readings_.data() +
                                                                         moment * multiprocessors_);
  check(cudaGetLastError(), "launch the kernel read_clocks");
}

double ClockProbe::mhz() const {
  for (int i = 0; i < multiprocessors_; ++i) {
    const ClockReading& first = readings_.data()[i];
    const ClockReading& second = readings_.data()[i + multiprocessors_];
    if (first.ns == 0 || second.ns <= first.ns) continue;
    return 1e3 * static_cast<double>(second.cycles - first.cycles) /
           static_cast<double>(second.ns - first.ns);
  }
  return 0;
}

}  // namespace lapscope::workloads

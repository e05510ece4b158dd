#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/harness/buffers.h"
#include "workloads/harness/clock_probe.h"
#include "workloads/harness/device.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/stream_gate.h"

namespace lapscope::workloads::scan {

enum class Cache {
  cold,  // The second-level cache is full of something else before each sample.
  warm,  // It holds what the sample before left there.
};

// What is timed: the name of the measured region, and of the NVTX range within it.
struct Label {
  std::string_view rung;
  std::uint64_t n = 0;

  std::string region() const { return std::string(rung); }
  std::string range(std::string_view how) const;  // "n = 1048576, cold"
};

struct Limits {
  int min_samples = 11;
  int max_samples = 41;
  double enough_relative_deviation = 0.005;
  double max_seconds = 0.5;  // Then it is enough whatever the deviation, from three samples on.
};

// Times between two events, in us, and the clock during each sample.
struct Samples {
  std::vector<double> us;  // Not empty.
  double mhz = 0;          // Median.
  int throttled = 0;       // Samples thrown away because the clock was below 75 % of its nominal.
};

// Times work on the device without the host's part in it: each sample is queued behind a closed
// gate. Follows the practice of nvbench.
class Sampler {
 public:
  explicit Sampler(const DeviceInfo& device);

  // `work` queues what is to be timed, and only that, in the stream. Called once before timing and
  // before the measured region.
  Samples measure(const Label& label, Cache cache, const std::function<void(cudaStream_t)>& work,
                  Limits limits = {});

  cudaStream_t stream() const { return stream_.get(); }

 private:
  double sample(Cache cache, const std::function<void(cudaStream_t)>& work);

  double nominal_mhz_;
  std::size_t flush_bytes_;
  DeviceBuffer<std::byte> flushed_;
  Stream stream_;
  StreamGate gate_;
  ClockProbe clock_;
  Event begin_;
  Event end_;
};

// Whether the samples are enough: see Limits.
bool is_enough(const std::vector<double>& us, double seconds, const Limits& limits);

}  // namespace lapscope::workloads::scan

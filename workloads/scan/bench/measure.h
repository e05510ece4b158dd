#pragma once

#include "workloads/scan/bench/sampler.h"
#include "workloads/scan/bench/verify.h"

namespace lapscope::workloads::scan {

// What is timed: `entry.n` elements, placed as `entry` says. All figures count input and output
// once each.
class Measurement {
 public:
  // Allocates and fills. Throws SkippedError if the device has too little memory, for the workspace
  // of `entry.rung`, too, if that is given.
  Measurement(const Case& entry, Sampler& sampler);

  // Times the rung and verifies its last result. Throws std::runtime_error on a wrong one.
  Samples scan(const Rung& rung, Cache cache, Limits limits = {});

  // Times the rung, cold and verified, as the first scan in a workspace of unknown content: for a
  // single pass, clearing the words of the tiles counts.
  Samples first_scan(const Rung& rung, Limits limits = {});

  // As `scan`, without a look at the result.
  Samples time(const Rung& rung, Cache cache, Limits limits = {});

  // Times cudaMemcpyAsync within the device.
  Samples copy(Cache cache, Limits limits = {});

  // Read and written. A copy moves as much as a scan, or nearly so where the types differ.
  std::uint64_t scan_bytes() const;
  std::uint64_t copy_bytes() const;

 private:
  ScanCall call_of_scan();
  void verify(const Rung& rung);
  std::uint64_t in_bytes() const;
  std::uint64_t out_bytes() const;

  Case entry_;
  Sampler& sampler_;
  DeviceArrays arrays_;
  Workspace workspace_;
};

// Times a rung of the CPU, in ms; verified as above. Throws SkippedError if the host has too little
// memory.
std::vector<double> time_on_cpu(Case entry, Limits limits);

}  // namespace lapscope::workloads::scan

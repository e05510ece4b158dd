#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/usual_choice.h"
#include "workloads/harness/workload_report.h"
#include "workloads/streams/suite/expectation.h"
#include "workloads/streams/suite/planted_cause.h"

namespace lapscope::workloads::streams {

// A case after its set-up. Everything is allocated and loaded, and the GPU has had no work yet.
class Workload {
 public:
  virtual ~Workload() = default;

  // Measures each part alone, and chooses the length of kernels. Leaves the device idle.
  virtual PartTimes calibrate() = 0;

  // Does the measured work. Returns when the device and all worker threads are idle.
  virtual void run() = 0;

  // Throws std::runtime_error unless the latest run computed the right results.
  virtual void verify() = 0;

  // Overwrites the results, so that the next run cannot pass with results of an earlier run.
  virtual void clear() {}

  // Wakes worker threads. It is called between `clear` and `run`.
  virtual void arm() {}

  // Adds measurements that only this case makes.
  virtual void report(Report&) const {}
};

// One way to run a case.
struct Variant {
  std::string name;           // broken, fixed, control, or a step between them.
  std::vector<Cause> causes;  // The planted causes; none in a variant without a mistake.
  Expect expect = nullptr;
  // Environment variables that the program sets before CUDA starts.
  std::vector<std::pair<std::string, std::string>> environment = {};
  // The allowed relative errors of the expected wall time and of the expected sum of durations. The
  // allowed relative error of the quotient wall / sum is wall_tolerance + sum_tolerance.
  double wall_tolerance = 0.08;
  double sum_tolerance = 0.06;
};

struct Needs {
  int gpus = 1;
  std::vector<std::string> libraries = {};  // Looked for at run time.
  // The largest number of host arrays at a time: the input, the output, and the buffers of the
  // calibration. Each array has room for all tiles.
  int host_copies = 2;
  std::size_t device_bytes_per_tile = 0;  // In addition to the tile.
};

// A kernel of a common kind. It replaces the suite's own kernel of a tile.
struct UsualChoice {
  UsualKind kind = UsualKind::gemm;
  GpuShare share = GpuShare::all;
  Bound bound = Bound::copies;
  std::uint32_t work = 0;  // The value of `name` in an earlier run; 0: measured now.

  // Returns a name such as "gemm-all-copies".
  std::string name() const;
};

// The data that a case gets about the run.
struct Setting {
  Shape shape;
  DeviceInfo device;
  std::string variant;
  std::string range;  // The NVTX range of the measured region: threads of a case open it too.
  std::optional<UsualChoice> usual = std::nullopt;

  bool broken() const { return variant == "broken"; }
};

// A program with one mistake, and the same program without the mistake.
struct Case {
  std::string name;   // Also the NVTX range of the measured region.
  std::string wrong;  // One sentence: what is wrong, or why there is nothing to gain.
  std::string fix;    // One sentence.
  std::vector<Variant>
      variants;  // From the broken variant to the fixed variant, or a single control variant.
  std::function<std::unique_ptr<Workload>(const Setting&)> make = nullptr;
  double kernel_us = Shape{}.kernel_us;  // Unless the user gives another.
  int most_tiles = 255;
  std::vector<std::string> ignored = {};  // Options of the shape that have no effect.
  bool once = false;                      // The mistake shows only the first time in a process.
  bool takes_usual_kernels = false;       // Instead of the tiles' own kernel.
  Needs needs = {};

  bool ignores(const std::string& option) const {
    return std::find(ignored.begin(), ignored.end(), option) != ignored.end();
  }
};

}  // namespace lapscope::workloads::streams

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

// A case that is set up: everything is allocated and loaded, and the GPU has had nothing to do.
class Workload {
 public:
  virtual ~Workload() = default;

  // Measures the parts, each alone, and makes kernels as long as wanted. Leaves the device idle.
  virtual PartTimes calibrate() = 0;

  // The part that counts. Returns when the device, and every thread that works for it, is idle.
  virtual void run() = 0;

  // Throws std::runtime_error unless the latest run computed what it should.
  virtual void verify() = 0;

  // Wipes the results, so that the next run cannot pass with those of the last one.
  virtual void clear() {}

  // Wakes what sleeps, such as worker threads. Between `clear` and `run`.
  virtual void arm() {}

  // Adds what only this case measures.
  virtual void report(Report&) const {}
};

// One way to run a case.
struct Variant {
  std::string name;           // broken, fixed, control, or a step between them.
  std::vector<Cause> causes;  // What is planted; nothing in a variant that is as good as it gets.
  Expect expect = nullptr;
  // Variables that the program sets for itself before CUDA starts.
  std::vector<std::pair<std::string, std::string>> environment = {};
  // How far a measured wall time, and a measured sum of the durations, may be from the expected
  // one, as a share of it. The overlap ratio is 1 - wall / sum: it may be off by that share of
  // 1 - ratio, both together.
  double wall_tolerance = 0.08;
  double sum_tolerance = 0.06;
};

struct Needs {
  int gpus = 1;
  std::vector<std::string> libraries = {};  // Looked for at run time.
  // How often the host holds all tiles at once, at most: an input and an output, and what the
  // calibration has beside them.
  int host_copies = 2;
  std::size_t device_bytes_per_tile = 0;  // Beside the tile.
};

// The kernel of tiles, where it is to be one that people have instead of the suite's own.
struct UsualChoice {
  UsualKind kind = UsualKind::gemm;
  GpuShare share = GpuShare::all;
  Bound bound = Bound::copies;
  std::uint32_t work = 0;  // As `name` had in an earlier run; 0: decided now.

  // "gemm-all-copies".
  std::string name() const;
};

// What a case knows about the run.
struct Setting {
  Shape shape;
  DeviceInfo device;
  std::string variant;
  std::string range;  // The NVTX range of the measured region: threads of a case open it too.
  std::optional<UsualChoice> usual = std::nullopt;

  bool broken() const { return variant == "broken"; }
};

// A program that does one thing wrong, and the same program with that one thing put right.
struct Case {
  std::string name;   // Also the NVTX range of the measured region.
  std::string wrong;  // One sentence: what is wrong, or why there is nothing to gain.
  std::string fix;    // One sentence.
  std::vector<Variant>
      variants;  // The first is broken and the last fixed, or the only one a control.
  std::function<std::unique_ptr<Workload>(const Setting&)> make = nullptr;
  double kernel_us = Shape{}.kernel_us;  // Unless the user wants another.
  int most_tiles = 255;
  std::vector<std::string> ignored = {};  // Options of the shape that change nothing in it.
  bool once = false;                      // A process shows it only the first time.
  bool takes_usual_kernels = false;       // In place of the kernel of its tiles.
  Needs needs = {};

  bool ignores(const std::string& option) const {
    return std::find(ignored.begin(), ignored.end(), option) != ignored.end();
  }
};

}  // namespace lapscope::workloads::streams

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/streams/suite/cause.h"
#include "workloads/streams/suite/expectation.h"
#include "workloads/streams/suite/shape.h"
#include "workloads/streams/suite/workload.h"

namespace lapscope::workloads::streams {

// One way to run a case.
struct Variant {
  std::string name;           // broken, fixed, control, or a step between them.
  std::vector<Cause> causes;  // What is planted; nothing in a variant that is as good as it gets.
  Expect expect = nullptr;
  // Variables that the program sets for itself before CUDA starts.
  std::vector<std::pair<std::string, std::string>> environment = {};
  // How far a measured wall time may be from the expected one, as a share of it, and a measured
  // overlap ratio, absolutely, beyond what follows from the wall time's: it is 1 - wall / sum.
  double wall_tolerance = 0.08;
  double overlap_tolerance = 0.06;
};

struct Needs {
  int gpus = 1;
  std::vector<std::string> libraries = {};  // Looked for at run time.
};

// What a case is told about the run.
struct Setting {
  Shape shape;
  DeviceInfo device;
  std::string variant;
  std::string range;  // The NVTX range of the measured region: threads of a case open it too.

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
  bool once = false;  // A process shows it only the first time.
  Needs needs = {};
};

}  // namespace lapscope::workloads::streams

#pragma once

#include "workloads/harness/report.h"
#include "workloads/streams/suite/expectation.h"

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

}  // namespace lapscope::workloads::streams

#pragma once

#include <cstdint>

#include "workloads/harness/device.h"
#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

struct TortureResult {
  int scans = 0;
  int occupations = 0;  // Kernels that took most of the multiprocessors in the meantime.
  int wrong = 0;
};

// Scans `repeats` times, with changing sizes up to 2^23, while a kernel in another stream comes and
// goes that leaves four multiprocessors free and fills the others: the blocks of the scan then
// start late, a few at a time, and must still not wait for one that cannot start.
//
// Checks every result. A scan that hangs ends the process with exit_failed after `patience_s`.
TortureResult torture(const Rung& rung, Combination combination, int repeats, int patience_s,
                      const DeviceInfo& device);

}  // namespace lapscope::workloads::scan

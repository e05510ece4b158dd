#pragma once

#include "workloads/harness/device.h"
#include "workloads/scan/options.h"

namespace lapscope::workloads::scan {

// Each prints on stdout. Throws std::runtime_error on a wrong result: every figure is verified.

// Name, passes over the array at 2^20, ceiling against a copy, largest n, what it changes.
void print_list();

// The table of the lecture for this machine: CPU ms, GPU ms, speed-up, for 2^10 and 2^15 to 2^24.
// GPU times are the device's, the arrays being there already, as in the lecture.
void print_lecture_table(const Options& options, const DeviceInfo& device);

// Per size, 2^16 to 2^30 by powers of four: a copy by the driver, then every rung of the GPU; GB/s
// of 2 n elements moved, whatever the rung moves, and the share of the copy, cold and warm.
void print_modern_table(const Options& options, const DeviceInfo& device);

// Time of one rung at one size.
void print_scan(const Options& options, const DeviceInfo& device);

}  // namespace lapscope::workloads::scan

#pragma once

#include "workloads/harness/device.h"
#include "workloads/scan/options.h"
#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

// Each prints on stdout. Throws std::runtime_error on a wrong result, for every figure is verified,
// SkippedError if the memory does not suffice, and UsageError for options that do not fit.

// Name, passes over the array and ceiling against a copy for `options.n`, largest n, what it
// changes.
void print_list(const Options& options);

// The table of the lecture for this machine: CPU ms, GPU ms, speed-up, for 2^10 and 2^15 to 2^24.
// GPU times are the device's, the arrays being there already, as in the lecture.
void print_lecture_table(const Options& options, const DeviceInfo& device);

// Per size, 2^16 to 2^30 by `options.factor`: a copy by the driver, then every rung of the GPU;
// GB/s of 2 n elements moved, whatever the rung moves, and the share of the copy, cold and warm,
// medians and quartiles; the clock. For a single pass also the time of a first scan, cold, which
// clears the words of its tiles before.
void print_modern_table(const Options& options, const DeviceInfo& device);

// Time of one rung at one size. `options.rung` is one of the CPU, which needs no GPU, or not.
void print_cpu_scan(const Options& options);
void print_scan(const Options& options, const DeviceInfo& device);

// Throws UsageError if `options.rung` names a rung of the CPU.
void require_gpu_rung(const Options& options);

// Throws NoDeviceError if this GPU cannot run the rung.
void require_runs_here(const Rung& rung);

}  // namespace lapscope::workloads::scan

#pragma once

#include "workloads/harness/device.h"
#include "workloads/harness/report.h"
#include "workloads/streams/options.h"

namespace lapscope::workloads::streams {

// Sets the case up, calibrates it, runs and verifies it as often as asked for. Throws
// std::runtime_error if a result is wrong.
Report run_case(const Options& options, const DeviceInfo& device);

}  // namespace lapscope::workloads::streams

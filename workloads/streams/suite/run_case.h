#pragma once

#include "workloads/harness/device.h"
#include "workloads/harness/free_memory.h"
#include "workloads/harness/workload_report.h"
#include "workloads/streams/streams_options.h"
#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

// Sets the environment variables of the variant in this process. Call this before the first CUDA
// call, because CUDA reads them only once.
void set_environment(const Variant& variant);

// Returns how much memory a case of this size needs at most.
Memory memory_needed(const Needs& needs, const Shape& shape);

// Throws SkippedError if the machine has too few GPUs, or too little memory on the host or on a GPU
// that the case uses.
void require_machine(const Needs& needs, const Shape& shape);

// Sets up a case and calibrates it. Then runs and verifies it as often as the options say. Throws
// std::runtime_error if a result is wrong.
Report run_case(const Options& options, const DeviceInfo& device);

}  // namespace lapscope::workloads::streams

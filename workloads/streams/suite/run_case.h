#pragma once

#include "workloads/harness/device.h"
#include "workloads/harness/free_memory.h"
#include "workloads/harness/workload_report.h"
#include "workloads/streams/streams_options.h"
#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

// Sets the variant's environment variables for this process. Call it before the first CUDA call:
// CUDA reads them only once.
void set_environment(const Variant& variant);

// Returns the most memory that a case of this size takes.
Memory memory_needed(const Needs& needs, const Shape& shape);

// Throws SkippedError if the machine has too few GPUs. Also throws it if host memory, or the memory
// of a GPU in use, does not suffice.
void require_machine(const Needs& needs, const Shape& shape);

// Sets the case up and calibrates it, then runs and verifies it as often as requested. Throws
// std::runtime_error if a result is wrong.
Report run_case(const Options& options, const DeviceInfo& device);

}  // namespace lapscope::workloads::streams

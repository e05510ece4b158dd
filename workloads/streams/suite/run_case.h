#pragma once

#include "workloads/harness/device.h"
#include "workloads/harness/free_memory.h"
#include "workloads/harness/workload_report.h"
#include "workloads/streams/streams_options.h"
#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

// Sets the variables of the variant for this process. Call it before the first call of CUDA, which
// reads them once.
void set_environment(const Variant& variant);

// What a case of this size may take at most.
Memory memory_needed(const Needs& needs, const Shape& shape);

// Throws SkippedError if the machine has too few GPUs, or it or a GPU that is used too little free
// memory.
void require_machine(const Needs& needs, const Shape& shape);

// Sets the case up, calibrates it, runs and verifies it as often as asked for. Throws
// std::runtime_error if a result is wrong.
Report run_case(const Options& options, const DeviceInfo& device);

}  // namespace lapscope::workloads::streams

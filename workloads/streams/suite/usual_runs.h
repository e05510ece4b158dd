#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/streams/streams_options.h"
#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

// Returns all combinations of these kernels, shares and bounds. The name "each" stands for all
// names. Throws UsageError for an unknown name. The message has the option and the valid names.
std::vector<UsualChoice> usual_choices(const std::vector<std::string>& kernels,
                                       const std::vector<std::string>& shares,
                                       const std::vector<std::string>& bounds);

// Reads the amounts of work from the output of `run_usual`. The key is the name of the choice.
// Throws UsageError if the file cannot be read or has no amounts.
std::map<std::string, std::uint32_t> read_works(const std::string& path);

// Runs the case with each kernel of the options, in an NVTX range such as "pipeline
// gemm-all-copies". Then prints the kernel's amount of work, its length alone, and the wall times
// of its runs. If a kernel fails, prints the error instead, and throws std::runtime_error after the
// last kernel. If the options have only one kernel and the machine cannot run it, throws
// SkippedError.
void run_usual(const Options& options, const DeviceInfo& device, std::ostream& out);

}  // namespace lapscope::workloads::streams

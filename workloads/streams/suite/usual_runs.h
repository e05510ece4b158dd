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

// One choice for each kernel, share and bound in these lists; "each" stands for all of a list.
// Throws UsageError, naming the option and what there is.
std::vector<UsualChoice> usual_choices(const std::vector<std::string>& kernels,
                                       const std::vector<std::string>& shares,
                                       const std::vector<std::string>& bounds);

// The amounts of work in what `run_usual` printed, by the name of the choice. Throws UsageError if
// the file cannot be read or has none.
std::map<std::string, std::uint32_t> read_works(const std::string& path);

// Runs the case with each kernel of the options, in a range of its own: "pipeline gemm-all-copies".
// Prints of each, as soon as it is done, the work, the length of a kernel alone and the walls of
// its runs; of one that fails, why. Throws std::runtime_error if one failed, SkippedError if there
// is only one and what it needs is not there.
void run_usual(const Options& options, const DeviceInfo& device, std::ostream& out);

}  // namespace lapscope::workloads::streams

#pragma once

#include <string>
#include <vector>

#include "analyzer/model/names.h"

namespace lapscope::analyzer {

// Names of kernels that communicate between GPUs, with * for any characters: NCCL's and NVSHMEM's.
// NCCL's were called ncclKernel_… before 2.19 and ncclDevKernel_… since.
std::vector<std::string> default_communication_patterns();

// By index in `names`: whether a kernel of this name communicates.
std::vector<bool> communication_names(const Names& names, const std::vector<std::string>& patterns);

}  // namespace lapscope::analyzer

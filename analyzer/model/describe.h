#pragma once

#include <string>
#include <string_view>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What an op is called: a kernel's name, or as "copy h2d", "copy peer", "memset".
std::string name_of_op(const Trace& trace, const Device& device, std::uint32_t op);

// A function of CUDA without the version that CUPTI appends: cudaMemcpyAsync of
// cudaMemcpyAsync_v3020, cuMemAlloc_v2 as it is, for that is its name.
std::string function_name(std::string_view recorded);

}  // namespace lapscope::analyzer

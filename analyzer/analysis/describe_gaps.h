#pragma once

#include "analyzer/analysis/report.h"

namespace lapscope::analyzer {

// Turns the indices of found gaps into names that can be shown without the trace.
GapsResult describe_gaps(const Gaps& gaps, const Trace& trace, const Device& device);

// What an op is called: the kernel's name, or the sort of copy.
std::string name_of_op(const Trace& trace, const Device& device, std::uint32_t op);

}  // namespace lapscope::analyzer

#pragma once

#include "analyzer/analysis/report.h"

namespace lapscope::analyzer {

// Turns the indices of found gaps into names that can be shown without the trace.
GapsResult describe_gaps(const Gaps& gaps, const Trace& trace, const Device& device);

}  // namespace lapscope::analyzer

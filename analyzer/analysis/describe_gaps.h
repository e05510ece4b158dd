#pragma once

#include "analyzer/analysis/report.h"
#include "analyzer/gaps/gaps.h"
#include "analyzer/model/host_timeline.h"

namespace lapscope::analyzer {

// Turns the indices of found gaps into names that can be shown without the trace.
GapsResult describe_gaps(const Gaps& gaps, const Trace& trace, const HostTimeline& host,
                         const Device& device);

}  // namespace lapscope::analyzer

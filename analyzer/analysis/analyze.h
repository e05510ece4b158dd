#pragma once

#include "analyzer/analysis/report.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Computes everything about a trace. A trace without ops gives a report without devices that is
// inconclusive and says so in its health rows.
Report analyze(const Trace& trace);

}  // namespace lapscope::analyzer

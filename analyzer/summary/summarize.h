#pragma once

#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// The report of an analysis that was asked for kernels (AnalyzeOptions::kernels) and for the ranges
// that are to be judged.
RunSummary summarize(const Report& report);

}  // namespace lapscope::analyzer

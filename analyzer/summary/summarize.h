#pragma once

#include "analyzer/analysis/analyze.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// The options with all that a summary has to know: kernels, and savings however little they are.
AnalyzeOptions for_summary(AnalyzeOptions options);

// The report of an analysis with these options, which are for_summary and name the ranges that are
// to be judged.
RunSummary summarize(const Report& report, const AnalyzeOptions& options);

}  // namespace lapscope::analyzer

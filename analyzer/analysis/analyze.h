#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/gaps/find_gaps.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

struct AnalyzeOptions {
  // NVTX ranges to judge besides the whole: names, with * for any characters.
  std::vector<std::string> ranges;
  // Judge this stretch instead of first op to last op, in ns since the session start.
  std::optional<Interval> window;
  GapOptions gaps;
};

// Computes everything about a trace. A trace without ops, or a window or range without any, is
// inconclusive and says so in its health rows.
Report analyze(const Trace& trace, const AnalyzeOptions& options = {});

}  // namespace lapscope::analyzer

#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// The runs of one state of a program, as of a commit.
struct HistoryRuns {
  std::string label;
  std::vector<RunSummary> runs;  // repeats
};

// A measure of one scope in the runs of a label.
struct HistoryPoint {
  std::string label;
  std::string created;         // when the first of its runs was recorded, as in TraceFacts
  std::vector<double> values;  // ns or ratio, ascending; empty: no run has one that can be used
  std::int64_t left_out = 0;   // runs whose recording makes conclusions inconclusive

  double median() const;  // the lower of two; `values` has one
};

// The same scope of the same device through all labels that have it.
struct HistorySeries {
  std::int64_t device = 0;
  std::string device_name;  // of the last point
  ScopeKind kind = ScopeKind::device;
  std::string scope;                 // the range; empty for a whole device
  std::vector<HistoryPoint> points;  // by `created`
};

// For each device, the scope that gate evaluates where nothing is named, or the NVTX range of that
// name. Series are by device, scopes as they first came up.
std::vector<HistorySeries> history_of(std::span<const HistoryRuns> labels, const Measure& measure,
                                      const std::string& range);

}  // namespace lapscope::analyzer

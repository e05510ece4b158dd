#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// The runs of one version of a program, such as a commit.
struct HistoryRuns {
  std::string label;
  std::vector<RunSummary> runs;  // repeats
};

// A measure of one scope in the runs of a label.
struct HistoryPoint {
  std::string label;
  std::string created;         // the time of the label's first run, as TraceFacts::created
  std::vector<double> values;  // ns or ratio, ascending; empty: no run has a usable value
  std::int64_t left_out = 0;   // runs that are left out because they are inconclusive

  double median() const;  // of two middle values, the lower one; requires a value
};

// The history of one scope of one device.
struct HistorySeries {
  std::int64_t device = 0;
  std::string device_name;
  ScopeKind kind = ScopeKind::device;
  std::string scope;   // the name of the NVTX range; empty for a whole device
  std::string steady;  // SteadyWords::scope of a steady state
  // One point for each label that has this scope, by `created`.
  std::vector<HistoryPoint> points;
};

// Returns the history of a measure in the NVTX range `range`, or in the default scope if `range` is
// empty. Values of several runs are in one series if they belong to the same device (its number and
// its model) and to scopes that have one name and are alike (are_alike()). Series are sorted by
// device. The series of one device are in the order in which their scopes first occur.
std::vector<HistorySeries> history_of(std::span<const HistoryRuns> labels, const Measure& measure,
                                      const std::string& range);

}  // namespace lapscope::analyzer

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lapscope::analyzer {

// A figure of several runs of one program. Each of `least`, `low`, `median`, `high` and `most` is
// the value of one run.
struct Repeats {
  std::size_t count = 0;
  double least = 0;
  // The spread lasts from `low` to `high`: the middle half of the values, rounded outwards. With up
  // to four runs, it covers all values. With more runs, it excludes a single outlier.
  double low = 0;
  double median = 0;  // of two middle values, the lower one
  double high = 0;
  double most = 0;
};

// Returns the figures of these values. Requires at least one value.
Repeats repeats_of(std::vector<double> values);

// Returns the p-value of the two-sided rank-sum test of Wilcoxon for `a` and `b`. The test is
// exact. Equal values get their mean rank. Returns empty if the samples are so small that even the
// greatest difference has a p-value above assumed::chance. Requires at most limits::repeats values
// in each sample.
std::optional<double> chance_of_difference(std::span<const double> a, std::span<const double> b);

}  // namespace lapscope::analyzer

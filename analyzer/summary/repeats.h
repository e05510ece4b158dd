#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lapscope::analyzer {

// A figure of several runs of the same program. All numbers are values that occurred.
struct Repeats {
  std::size_t count = 0;
  double least = 0;
  // The spread: what the middle half of the runs covers, rounded outwards, so that up to four runs
  // are all inside, and of more a single odd one is not.
  double low = 0;
  double median = 0;  // the lower one of two
  double high = 0;
  double most = 0;
};

// Requires at least one value.
Repeats repeats_of(std::vector<double> values);

// How likely two samples of one distribution are to differ in rank at least as much as these, in
// either direction: the exact permutation test of Wilcoxon's rank sum, with mean ranks for ties.
// Empty when the samples are so small that even the greatest difference would be likelier than
// assumed::chance. At most limits::repeats values on either side.
std::optional<double> chance_of_difference(std::span<const double> a, std::span<const double> b);

}  // namespace lapscope::analyzer

#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analyzer/diff/comparison.h"

namespace lapscope::analyzer {

// Matches the launches of two sequences. Returns pairs of indices: first in `before`, then in
// `after`. Only launches of the same kernel with the same grid can match. With another grid, a
// kernel does other work. If both sequences have the same number of launches of a kernel and grid,
// the k-th launches match each other. If the numbers differ, only the launches in the longest
// common subsequence match.
//
//   before  a b a c a        a: equally often, so first to first, second to second, third to third
//   after   a c b b a a      b: 1 and 2 times; the longest common subsequence is "a b a a"
std::vector<std::pair<std::size_t, std::size_t>> match_launches(const LaunchOrder& before,
                                                                const LaunchOrder& after);

// Returns the launches whose duration changed by at least assumed::tolerance of the earlier
// duration, largest change first. Leaves out kernels that are launched once per instance. Also
// leaves out kernels whose launches all became faster, or all became slower. The change of such a
// kernel shows in the total time of its launches.
//
// Compares the medians of the runs if there are enough runs for a conclusion. Otherwise compares
// the durations in all instances of all runs. If the runs of one side launched different sequences,
// uses only the runs with the most frequent sequence.
std::vector<LaunchChange> compare_launches(const std::vector<const ScopeSummary*>& before,
                                           const std::vector<const ScopeSummary*>& after);

}  // namespace lapscope::analyzer

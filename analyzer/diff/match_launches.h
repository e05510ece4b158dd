#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analyzer/diff/comparison.h"

namespace lapscope::analyzer {

// Matches the launches of two sequences. Returns pairs of indices: first in `before`, then in
// `after`. Launches match only if they have the same kernel and grid, because a kernel does other
// work with another grid. Each kernel with its grid is treated in one of two ways. If both
// sequences launch it equally often, the k-th launches match. If not, only the launches in the
// longest common subsequence match.
//
//   before  a b a c a        a: 3 times on each side, so the k-th launches match
//   after   a c b b a a      b: 1 and 2 times; the longest common subsequence is "a b a a"
std::vector<std::pair<std::size_t, std::size_t>> match_launches(const LaunchOrder& before,
                                                                const LaunchOrder& after);

// Returns the launches whose duration changed by at least assumed::tolerance of the earlier
// duration, largest change first. Leaves out kernels that are launched once per instance. Also
// leaves out kernels whose launches all became faster, or all became slower. The change of these
// kernels shows in their total time.
//
// If there are enough runs for a conclusion, compares the medians of the runs. If there are fewer,
// compares the durations in all instances of all runs. If the runs of one side launched different
// sequences, uses only the runs with the most frequent sequence.
std::vector<LaunchChange> compare_launches(const std::vector<const ScopeSummary*>& before,
                                           const std::vector<const ScopeSummary*>& after);

}  // namespace lapscope::analyzer

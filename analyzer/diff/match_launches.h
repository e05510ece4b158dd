#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analyzer/diff/comparison.h"

namespace lapscope::analyzer {

// Returns pairs of indices of matching launches: the index in `before` and the index in `after`.
// Launches match only if they have the same kernel and the same number of blocks (the same sort).
// If `before` and `after` have equally many launches of a sort, the k-th launch of this sort in
// `before` matches the k-th in `after`. Launches of other sorts match only if they are in the
// longest common subsequence of all launches.
//
//   before  a b a c a        a: 3 times on each side, so the k-th launches match
//   after   a c b b a a      b: 1 and 2 times; the longest common subsequence is "a b a a"
std::vector<std::pair<std::size_t, std::size_t>> match_launches(const LaunchOrder& before,
                                                                const LaunchOrder& after);

// Returns the launches whose duration changed by at least assumed::tolerance of the earlier
// duration, largest change first. Leaves out kernels that are launched once per instance, and
// kernels whose launches all became faster or all became slower: their total time shows the change.
//
// Compares the medians of the runs. If there are too few runs for a conclusion, compares the
// durations in all instances instead. On each side, uses only the runs with the most frequent
// sequence of launches.
std::vector<LaunchChange> compare_launches(const std::vector<const ScopeSummary*>& before,
                                           const std::vector<const ScopeSummary*>& after);

}  // namespace lapscope::analyzer

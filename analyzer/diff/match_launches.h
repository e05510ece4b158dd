#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analyzer/diff/comparison.h"

namespace lapscope::analyzer {

// Matches the launches of one sequence with those of the other; returns pairs of places. Launches
// are alike if they have the same kernel and the same grid: with another grid a kernel does other
// work, and is not matched. Of launches that both have equally often, the k-th matches the k-th. Of
// others, those match that are in the longest sequence of launches that both have in common.
//
//   before  a b a c a        a: equally often, so first to first, second to second, third to third
//   after   a c b b a a      b: once and twice; in common is "a b a a", whose b is the first one
std::vector<std::pair<std::size_t, std::size_t>> match_launches(const LaunchOrder& before,
                                                                const LaunchOrder& after);

// Returns the launches that are known to take longer or shorter, by at least assumed::tolerance of
// their time, where a kernel is launched several times in an instance and not all of its launches
// changed alike: otherwise its times as a whole show the change. A side's durations are the medians
// of its runs where these are enough for a conclusion, else the medians of all instances of its
// runs. Of runs that launched different sequences, those count that agree with the most.
std::vector<LaunchChange> compare_launches(const std::vector<const ScopeSummary*>& before,
                                           const std::vector<const ScopeSummary*>& after);

}  // namespace lapscope::analyzer

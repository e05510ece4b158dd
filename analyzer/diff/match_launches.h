#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analyzer/diff/comparison.h"

namespace lapscope::analyzer {

// Which launch of one sequence is which of the other, as pairs of places. Launches are alike that
// are of one kernel and of one grid: with another grid a kernel does other work, and none is
// matched with it. Of those that both have equally often, the k-th is the k-th; of others, those
// that stand in the longest sequence of launches that both have in common.
//
//   before  a b a c a        a: equally often, so first to first, second to second, third to third
//   after   a c b b a a      b: once and twice; in common is "a b a a", whose b is the first one
std::vector<std::pair<std::size_t, std::size_t>> match_launches(const LaunchOrder& before,
                                                                const LaunchOrder& after);

// The launches of which it can be told that they take longer or shorter, by at least
// assumed::tolerance of their time, where a kernel is launched several times in an
// instance and not all of its launches changed alike: then its times as a whole say it. A side's
// durations are the medians of its runs where these are enough to tell, else those of all instances
// of its runs. Of runs that launched different sequences, those count that agree with the most.
std::vector<LaunchChange> compare_launches(const std::vector<const ScopeSummary*>& before,
                                           const std::vector<const ScopeSummary*>& after);

}  // namespace lapscope::analyzer

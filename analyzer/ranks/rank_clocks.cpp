#include "analyzer/ranks/rank_clocks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "analyzer/ranks/match_collectives.h"

namespace lapscope::analyzer {
namespace {

struct Bounds {
  Ns least = std::numeric_limits<Ns>::min();
  Ns most = std::numeric_limits<Ns>::max();
  bool is_known = false;
};

// Narrows the bounds between which the clock offset of the second rank's host lies. For each k,
// takes the k-th kernel of one rank and the k-th kernel of the other rank as the kernels of one
// collective. Does nothing if the ranks have different numbers of kernels.
void bound(std::span<const RankWork> ranks, const JoiningKernels::OfRank& first,
           const JoiningKernels::OfRank& second, Bounds& bounds) {
  if (first.kernels.size() != second.kernels.size()) return;
  for (std::size_t k = 0; k < first.kernels.size(); ++k) {
    const Interval& a = ranks[first.rank].collectives[first.kernels[k]].interval;
    const Interval& b = ranks[second.rank].collectives[second.kernels[k]].interval;
    bounds.least = std::max(bounds.least, a.start - b.end);
    bounds.most = std::min(bounds.most, a.end - b.start);
    bounds.is_known = true;
  }
}

}  // namespace

RankClocks rank_clocks(std::span<const RankWork> ranks) {
  RankClocks clocks;
  clocks.offsets.resize(ranks.size());
  std::map<std::string, Bounds> by_host;
  for (const RankWork& rank : ranks) {
    if (rank.host != ranks[0].host) by_host[rank.host];
  }
  if (by_host.empty()) return clocks;
  for (const JoiningKernels& kernels : joining_kernels(ranks)) {
    for (const auto& of_first : kernels.members) {
      if (ranks[of_first.rank].host != ranks[0].host) continue;
      for (const auto& other : kernels.members) {
        const std::string& host = ranks[other.rank].host;
        if (host != ranks[0].host) bound(ranks, of_first, other, by_host[host]);
      }
    }
  }
  std::map<std::string, Ns> offsets;
  for (const auto& [host, bounds] : by_host) {
    clocks.is_unknown |= !bounds.is_known;
    clocks.is_contradicted |= bounds.is_known && bounds.least > bounds.most;
    if (!bounds.is_known || bounds.least > bounds.most) continue;
    const Ns half = (bounds.most - bounds.least) / 2;
    clocks.error = std::max(clocks.error, half);
    offsets[host] = bounds.least + half;
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const auto found = offsets.find(ranks[r].host);
    if (found != offsets.end()) clocks.offsets[r] = found->second;
  }
  return clocks;
}

}  // namespace lapscope::analyzer

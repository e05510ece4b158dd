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

// What the k-th kernels of two ranks say of the second one's clock, where both have equally many.
void bound(std::span<const RankWork> ranks, const JoiningKernels& kernels, std::size_t first,
           std::size_t second, Bounds& bounds) {
  const std::vector<std::uint32_t>& of_first = kernels.by_rank[first];
  const std::vector<std::uint32_t>& of_second = kernels.by_rank[second];
  if (of_first.size() != of_second.size()) return;
  for (std::size_t k = 0; k < of_first.size(); ++k) {
    const Interval& a = ranks[first].collectives[of_first[k]].interval;
    const Interval& b = ranks[second].collectives[of_second[k]].interval;
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
  const std::vector<JoiningKernels> kernels = joining_kernels(ranks);
  for (std::size_t b = 0; b < ranks.size(); ++b) {
    if (ranks[b].host == ranks[0].host) continue;
    Bounds& bounds = by_host[ranks[b].host];
    for (std::size_t a = 0; a < ranks.size(); ++a) {
      if (ranks[a].host != ranks[0].host) continue;
      for (const JoiningKernels& one : kernels) bound(ranks, one, a, b, bounds);
    }
  }
  for (const auto& [host, bounds] : by_host) {
    clocks.is_unknown |= !bounds.is_known;
    clocks.is_contradicted |= bounds.is_known && bounds.least > bounds.most;
    if (!bounds.is_known || bounds.least > bounds.most) continue;
    const Ns half = (bounds.most - bounds.least) / 2;
    clocks.error = std::max(clocks.error, half);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      if (ranks[r].host == host) clocks.offsets[r] = bounds.least + half;
    }
  }
  return clocks;
}

}  // namespace lapscope::analyzer

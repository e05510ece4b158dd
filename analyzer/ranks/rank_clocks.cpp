#include "analyzer/ranks/rank_clocks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>

namespace lapscope::analyzer {
namespace {

struct Bounds {
  Ns least = std::numeric_limits<Ns>::min();
  Ns most = std::numeric_limits<Ns>::max();
  bool is_known = false;
};

using Kernels = std::map<std::pair<std::uint32_t, std::string>, std::vector<Interval>>;

Kernels joining_kernels(const RankWork& rank) {
  Kernels kernels;
  for (const RankCollective& one : rank.collectives) {
    const std::string& name = rank.names[one.name];
    if (joins_all(collective_kind(name))) kernels[{one.stream, name}].push_back(one.interval);
  }
  return kernels;
}

void bound(const Kernels& of_a, const Kernels& of_b, Bounds& bounds) {
  for (const auto& [key, a] : of_a) {
    const auto found = of_b.find(key);
    if (found == of_b.end() || found->second.size() != a.size()) continue;
    const std::vector<Interval>& b = found->second;
    for (std::size_t k = 0; k < a.size(); ++k) {
      bounds.least = std::max(bounds.least, a[k].start - b[k].end);
      bounds.most = std::min(bounds.most, a[k].end - b[k].start);
      bounds.is_known = true;
    }
  }
}

}  // namespace

RankClocks rank_clocks(std::span<const RankWork> ranks) {
  RankClocks clocks;
  clocks.offsets.resize(ranks.size());
  std::map<std::string, Bounds> by_host;
  std::vector<Kernels> kernels;
  for (const RankWork& rank : ranks) kernels.push_back(joining_kernels(rank));
  for (std::size_t b = 0; b < ranks.size(); ++b) {
    if (ranks[b].host == ranks[0].host) continue;
    for (std::size_t a = 0; a < ranks.size(); ++a) {
      if (ranks[a].host == ranks[0].host) bound(kernels[a], kernels[b], by_host[ranks[b].host]);
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

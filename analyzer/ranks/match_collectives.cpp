#include "analyzer/ranks/match_collectives.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace lapscope::analyzer {

std::uint32_t MatchedCollective::last() const {
  const auto latest =
      std::max_element(times.begin(), times.end(),
                       [](const Interval& a, const Interval& b) { return a.start < b.start; });
  return static_cast<std::uint32_t>(latest - times.begin());
}

Ns MatchedCollective::last_start() const { return times[last()].start; }

Ns MatchedCollective::end() const {
  return std::min_element(times.begin(), times.end(),
                          [](const Interval& a, const Interval& b) { return a.end < b.end; })
      ->end;
}

namespace {

// By rank, the kernels of one name in one stream, by start.
using Queues = std::vector<std::vector<std::uint32_t>>;

class Matcher {
 public:
  Matcher(std::span<const RankWork> ranks, std::span<const Ns> offsets)
      : ranks_(ranks), offsets_(offsets) {
    matches_.unmatched.resize(ranks.size());
  }

  Matches match() {
    std::map<std::pair<std::uint32_t, std::string>, Queues> by_kind;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      const RankWork& rank = ranks_[r];
      for (std::uint32_t c = 0; c < rank.collectives.size(); ++c) {
        const RankCollective& one = rank.collectives[c];
        Queues& queues = by_kind[{one.stream, rank.names[one.name]}];
        queues.resize(ranks_.size());
        queues[r].push_back(c);
      }
    }
    for (const auto& [key, queues] : by_kind) take(collective_kind(key.second), queues);
    std::sort(matches_.collectives.begin(), matches_.collectives.end(),
              [](const MatchedCollective& a, const MatchedCollective& b) {
                return a.last_start() < b.last_start();
              });
    return std::move(matches_);
  }

 private:
  Interval time_of(std::size_t rank, std::uint32_t collective) const {
    const Interval& interval = ranks_[rank].collectives[collective].interval;
    return {interval.start + offsets_[rank], interval.end + offsets_[rank]};
  }

  void take(CollectiveKind kind, const Queues& queues) {
    if (!joins_all(kind)) {
      for (const auto& queue : queues) matches_.others += static_cast<std::int64_t>(queue.size());
      return;
    }
    std::vector<std::size_t> heads(queues.size());
    const auto is_any_empty = [&] {
      for (std::size_t r = 0; r < queues.size(); ++r) {
        if (heads[r] == queues[r].size()) return true;
      }
      return false;
    };
    while (!is_any_empty()) {
      MatchedCollective one{kind, {}, {}};
      for (std::size_t r = 0; r < queues.size(); ++r) {
        one.members.push_back(queues[r][heads[r]]);
        one.times.push_back(time_of(r, one.members.back()));
      }
      const Ns last_start = one.last_start();
      bool is_one = true;
      for (std::size_t r = 0; r < queues.size(); ++r) {
        if (one.times[r].end > last_start) continue;
        is_one = false;  // it had ended before another rank began: that one has none for it
        ++heads[r];
        ++matches_.unmatched[r];
      }
      if (!is_one) continue;
      for (std::size_t& head : heads) ++head;
      matches_.collectives.push_back(std::move(one));
    }
    for (std::size_t r = 0; r < queues.size(); ++r) {
      matches_.unmatched[r] += static_cast<std::int64_t>(queues[r].size() - heads[r]);
    }
  }

  std::span<const RankWork> ranks_;
  std::span<const Ns> offsets_;
  Matches matches_;
};

}  // namespace

Matches match_collectives(std::span<const RankWork> ranks, std::span<const Ns> offsets) {
  return Matcher(ranks, offsets).match();
}

}  // namespace lapscope::analyzer

#include "analyzer/replay/collectives_under_way.h"

#include <algorithm>

namespace lapscope::analyzer {

std::vector<CollectivesUnderWay::End> CollectivesUnderWay::join(std::uint32_t task,
                                                                std::int64_t now) {
  const std::uint32_t rank = graph_->tasks[task].rank;
  const std::uint32_t collective = graph_->ranks[rank].collective;
  State& state = states_[collective];
  joined_[rank] = now;
  ++state.joined;
  if (state.is_given_up) return {{task, now + graph_->tasks[task].work}};
  if (state.joined < graph_->collectives[collective].count) return {};
  return ends_of(collective, now);
}

std::vector<CollectivesUnderWay::End> CollectivesUnderWay::give_up(std::int64_t now) {
  std::vector<End> ends;
  for (std::uint32_t c = 0; c < states_.size(); ++c) {
    State& state = states_[c];
    if (state.joined == 0 || state.joined == graph_->collectives[c].count || state.is_given_up) {
      continue;
    }
    state.is_given_up = true;
    const std::vector<End> own = ends_of(c, now);
    ends.insert(ends.end(), own.begin(), own.end());
  }
  return ends;
}

// Of those that have joined.
std::vector<CollectivesUnderWay::End> CollectivesUnderWay::ends_of(std::uint32_t collective,
                                                                   std::int64_t last) const {
  const CollectiveRanks& all = graph_->collectives[collective];
  std::vector<End> ends;
  for (std::uint32_t r = all.first; r < all.first + all.count; ++r) {
    if (joined_[r] == never) continue;
    const Rank& rank = graph_->ranks[r];
    ends.push_back(
        {rank.task, std::max(joined_[r] + graph_->tasks[rank.task].work, last + rank.after_last)});
  }
  return ends;
}

}  // namespace lapscope::analyzer

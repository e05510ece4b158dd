#include "analyzer/machine/collectives.h"

#include <algorithm>

namespace lapscope::analyzer {

void Collectives::join(std::uint32_t task, std::int64_t now) {
  const std::uint32_t rank = loads_[task].rank;
  const std::uint32_t collective = machine_.ranks[rank].collective;
  State& state = states_[collective];
  joined_[rank] = now;
  ++state.joined;
  if (state.is_given_up) {
    ends_.emplace_back(task, now + loads_[task].work);
  } else if (state.joined == machine_.collectives[collective].count) {
    end_all(collective, now);
  }
}

bool Collectives::give_up(std::int64_t now) {
  for (std::uint32_t c = 0; c < states_.size(); ++c) {
    State& state = states_[c];
    if (state.joined == 0 || state.joined == machine_.collectives[c].count || state.is_given_up) {
      continue;
    }
    state.is_given_up = true;
    end_all(c, now);
  }
  return !ends_.empty();
}

std::optional<Collectives::End> Collectives::next() {
  if (ends_.empty()) return std::nullopt;
  const End end = ends_.back();
  ends_.pop_back();
  return end;
}

// Of those that have joined.
void Collectives::end_all(std::uint32_t collective, std::int64_t last) {
  const CollectiveRanks& all = machine_.collectives[collective];
  for (std::uint32_t r = all.first; r < all.first + all.count; ++r) {
    if (joined_[r] == never) continue;
    const Rank& rank = machine_.ranks[r];
    ends_.emplace_back(rank.task,
                       std::max(joined_[r] + loads_[rank.task].work, last + rank.after_last));
  }
}

}  // namespace lapscope::analyzer

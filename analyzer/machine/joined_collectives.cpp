#include "analyzer/machine/joined_collectives.h"

#include <algorithm>

namespace lapscope::analyzer {

void Collectives::join(std::uint32_t task, Ns now) {
  const std::uint32_t rank = work_.tasks[task].rank;
  const std::uint32_t collective = work_.ranks[rank].collective;
  State& state = states_[collective];
  joined_[rank] = now;
  ++state.joined;
  if (state.is_given_up) {
    ends_.emplace_back(task, now + work_.lengths[task].work);
  } else if (state.joined == work_.collectives[collective].count) {
    end_all(collective, now);
  }
}

bool Collectives::give_up(Ns now) {
  for (std::uint32_t c = 0; c < states_.size(); ++c) {
    State& state = states_[c];
    if (state.joined == 0 || state.joined == work_.collectives[c].count || state.is_given_up) {
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

// Sets the ends of the ranks that have joined. `last`: when the last of them joined.
void Collectives::end_all(std::uint32_t collective, Ns last) {
  const CollectiveRanks& all = work_.collectives[collective];
  for (std::uint32_t r = all.first; r < all.first + all.count; ++r) {
    if (joined_[r] == never) continue;
    const Rank& rank = work_.ranks[r];
    ends_.emplace_back(
        rank.task, std::max(joined_[r] + work_.lengths[rank.task].work, last + rank.after_last));
  }
}

}  // namespace lapscope::analyzer

#include "analyzer/ranks/rank_states.h"

#include <algorithm>
#include <utility>

namespace lapscope::analyzer {

RankTime& RankTime::operator+=(const RankTime& other) {
  computing += other.computing;
  transferring += other.transferring;
  waiting += other.waiting;
  for_messages += other.for_messages;
  other_communication += other.other_communication;
  idle += other.idle;
  return *this;
}

RankTime RankStates::in(const Interval& window) const {
  RankTime time;
  time.computing = computing.length_in(window);
  time.transferring = transferring.length_in(window);
  time.other_communication = other_communication.length_in(window);
  time.for_messages = for_messages.length_in(window);
  time.waiting = time.for_messages + for_collectives.length_in(window);
  time.idle = window.length() - time.sum();
  return time;
}

std::vector<std::vector<RankMember>> members_by_rank(const Matches& matches, std::size_t ranks) {
  std::vector<std::vector<RankMember>> by_rank(ranks);
  for (const MatchedCollective& one : matches.collectives) {
    for (const auto& member : one.members) by_rank[member.rank].push_back({&one, &member});
  }
  return by_rank;
}

RankStates rank_states(std::span<const RankWork> ranks, std::size_t of,
                       std::span<const RankMember> members, const Interval& window) {
  const RankWork& rank = ranks[of];
  const auto clipped = [&window](Interval interval) {
    interval.start = std::clamp(interval.start, window.start, window.end);
    interval.end = std::clamp(interval.end, window.start, window.end);
    return interval;
  };
  std::vector<bool> is_matched(rank.collectives.size());
  std::vector<Interval> for_collectives;
  std::vector<Interval> for_messages;
  std::vector<Interval> transferring;
  for (const RankMember& one : members) {
    if (one.collective->members.size() < 2) continue;  // in a run of one rank
    const MatchedCollective::Member& own = *one.member;
    is_matched[own.kernel] = true;
    (one.collective->is_pair ? for_messages : for_collectives)
        .push_back(clipped({own.time.start, own.ready}));
    transferring.push_back(clipped({own.ready, own.time.end}));
  }
  std::vector<Interval> others;
  for (std::size_t c = 0; c < is_matched.size(); ++c) {
    if (!is_matched[c]) others.push_back(clipped(rank.collectives[c].interval));
  }
  std::vector<Interval> computing;
  const std::span<const Interval> work = rank.other_work.intervals();
  for (std::size_t i = rank.other_work.first_ending_after(window.start); i < work.size(); ++i) {
    if (work[i].start >= window.end) break;
    computing.push_back(clipped(work[i]));
  }
  // An instant that lies in several states belongs to the state that is taken first here.
  RankStates states;
  IntervalSet so_far;
  const auto take = [&so_far](IntervalSet& state, std::vector<Interval> intervals) {
    const IntervalSet all = IntervalSet::union_of(std::move(intervals));
    state = subtract(all, so_far);
    so_far = unite(so_far, all);
  };
  take(states.computing, std::move(computing));
  take(states.transferring, std::move(transferring));
  take(states.other_communication, std::move(others));
  take(states.for_messages, std::move(for_messages));
  take(states.for_collectives, std::move(for_collectives));
  return states;
}

}  // namespace lapscope::analyzer

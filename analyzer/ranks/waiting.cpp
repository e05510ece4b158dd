#include "analyzer/ranks/waiting.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/rank_states.h"

namespace lapscope::analyzer {
namespace {

Interval clipped(Interval interval, const Interval& window) {
  interval.start = std::clamp(interval.start, window.start, window.end);
  interval.end = std::clamp(interval.end, window.start, window.end);
  return interval;
}

// Returns the parts of `interval` in which a rank does no work other than communication.
std::vector<Interval> free_in(const RankWork& rank, const Interval& interval) {
  std::vector<Interval> free;
  const std::span<const Interval> work = rank.other_work.intervals();
  Ns start = interval.start;
  for (std::size_t i = rank.other_work.first_ending_after(start); i < work.size(); ++i) {
    if (work[i].start >= interval.end) break;
    if (start < work[i].start) free.push_back({start, work[i].start});
    start = work[i].end;
  }
  if (start < interval.end) free.push_back({start, interval.end});
  return free;
}

using Member = MatchedCollective::Member;

bool is_of_one_host(std::span<const RankWork> ranks, const MatchedCollective& one) {
  const std::string& host = ranks[one.members.front().rank].host;
  return std::all_of(one.members.begin(), one.members.end(),
                     [&](const Member& member) { return ranks[member.rank].host == host; });
}

bool begins_in(const MatchedCollective& one, const Interval& window) {
  const Ns start = one.last_start();
  return window.start <= start && start < window.end;
}

}  // namespace

std::vector<Lateness> lateness(std::span<const RankWork> ranks, const Matches& matches,
                               const Interval& window, Ns error) {
  std::vector<Lateness> result(ranks.size());
  std::vector<std::vector<Interval>> alone(ranks.size());
  std::vector<std::vector<Interval>> of_messages(ranks.size());
  std::vector<std::vector<Interval>> waiting(ranks.size());
  for (const MatchedCollective& one : matches.collectives) {
    for (const Member& member : one.members) {
      waiting[member.rank].push_back(clipped({member.time.start, member.ready}, window));
    }
    if (one.members.size() < 2 || !begins_in(one, window)) continue;
    const Member& last = one.last();
    const Member* before = nullptr;  // the one that started second last
    for (const Member& member : one.members) {
      const bool is_later = before == nullptr || member.time.start > before->time.start;
      if (&member != &last && is_later) before = &member;
    }
    // A send that ended before it was received waited for no rank.
    if (before->time.end <= last.time.start) continue;
    const Interval stretch = clipped({before->time.start, last.time.start}, window);
    if (stretch.length() <= (is_of_one_host(ranks, one) ? 0 : error)) continue;
    ++result[last.rank].last;
    auto& of_rank = is_pair(one) ? of_messages[last.rank] : alone[last.rank];
    for (const Interval& free : free_in(ranks[before->rank], stretch)) {
      of_rank.push_back(free);
    }
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const IntervalSet waits =
        subtract(IntervalSet::union_of(std::move(waiting[r])), ranks[r].other_work);
    const IntervalSet late = subtract(IntervalSet::union_of(std::move(alone[r])), waits);
    const IntervalSet by_messages = IntervalSet::union_of(std::move(of_messages[r]));
    result[r].alone_ns = late.length();
    result[r].of_messages = subtract(subtract(by_messages, waits), late).length();
  }
  return result;
}

SmallCollectives small_collectives(std::span<const RankWork> ranks, const Matches& matches,
                                   const Interval& window) {
  struct Row {
    Interval time;
    std::int64_t count = 0;
    Ns transfers = 0;
    Bytes most_bytes = 0;
  };
  // The first member's rank, its communicator, and the name of its kernel.
  using Kind = std::tuple<std::uint32_t, std::uint32_t, std::string>;
  const auto kind_of = [&](const MatchedCollective& one) {
    const RankWork& rank = ranks[one.members[0].rank];
    const RankCollective& first = rank.collectives[one.members[0].kernel];
    return Kind{one.members[0].rank, first.communicator, rank.names[first.name]};
  };
  std::map<Kind, Ns> quickest;
  for (const MatchedCollective& one : matches.collectives) {
    if (!joins_all(one.kind) || !begins_in(one, window)) continue;
    const Ns transfer = one.end() - one.last_start();
    const auto [known, is_new] = quickest.try_emplace(kind_of(one), transfer);
    if (!is_new) known->second = std::min(known->second, transfer);
  }
  const auto computes_in = [&](const MatchedCollective& one, const Interval& interval) {
    return std::any_of(one.members.begin(), one.members.end(), [&](const Member& member) {
      return ranks[member.rank].other_work.length_in(interval) > 0;
    });
  };
  SmallCollectives result;
  Row row;
  Kind kind;
  const auto end_row = [&] {
    if (row.count >= assumed::enough_examples) {
      const Ns least = quickest[kind];
      const Ns merged = least + std::max<Ns>(0, row.transfers - row.count * least);
      const Ns saving = row.time.length() - merged;
      if (saving > 0) {
        result.collectives += row.count;
        result.most_bytes = std::max(result.most_bytes, row.most_bytes);
        result.row_ns += row.time.length();
        result.saving += saving;
      }
    }
    row = {};
  };
  for (const MatchedCollective& one : matches.collectives) {
    if (!joins_all(one.kind) || !begins_in(one, window)) continue;
    const Interval time{one.last_start(), one.end()};
    const bool goes_on = row.count > 0 && kind_of(one) == kind && time.start >= row.time.end &&
                         !computes_in(one, {row.time.start, time.end});
    if (!goes_on) {
      end_row();
      kind = kind_of(one);
      row.time = time;
    }
    row.time.end = std::max(row.time.end, time.end);
    ++row.count;
    row.transfers += time.length();
    row.most_bytes = std::max(row.most_bytes, one.bytes);
  }
  end_row();
  return result;
}

}  // namespace lapscope::analyzer

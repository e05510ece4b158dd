#include "analyzer/ranks/waiting.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/rank_clocks.h"
#include "analyzer/ranks/rank_states.h"

namespace lapscope::analyzer {
namespace {

using Member = MatchedCollective::Member;

bool begins_in(const MatchedCollective& one, const Interval& window) {
  const Ns start = one.last_start();
  return window.start <= start && start < window.end;
}

}  // namespace

Ns late_after(const Member& late, const Member& before, std::span<const RankWork> ranks,
              std::span<const Ns> clock_errors) {
  if (before.time.end <= late.time.start) return 0;
  const Ns later = late.time.start - before.time.start;
  return later > error_between(ranks, clock_errors, late.rank, before.rank) ? later : 0;
}

Ns late_by(const MatchedCollective& one, std::span<const RankWork> ranks,
           std::span<const Ns> clock_errors) {
  if (one.members.size() < 2) return 0;
  const Member& last = one.last();
  const Member* before = nullptr;  // the one that began second last
  for (const Member& member : one.members) {
    const bool is_later = before == nullptr || member.time.start > before->time.start;
    if (&member != &last && is_later) before = &member;
  }
  const bool is_sure = std::ranges::all_of(one.members, [&](const Member& member) {
    return &member == &last || last.time.start - member.time.start >
                                   error_between(ranks, clock_errors, last.rank, member.rank);
  });
  return is_sure ? late_after(last, *before, ranks, clock_errors) : 0;
}

std::vector<Lateness> lateness(std::span<const RankWork> ranks, const Matches& matches,
                               const Interval& window, std::span<const Ns> clock_errors) {
  std::vector<Lateness> result(ranks.size());
  for (const MatchedCollective& one : matches.collectives) {
    if (!begins_in(one, window)) continue;
    const Ns late = late_by(one, ranks, clock_errors);
    if (late == 0) continue;
    ++result[one.last().rank].last;
    Ns& sum = result[one.last().rank].sum;
    sum += std::min(late, std::numeric_limits<Ns>::max() - sum);
  }
  return result;
}

const Member* last_outside(const MatchedCollective& one, const RankSet& set) {
  const Member* last = nullptr;
  for (const Member& member : one.members) {
    if (set[member.rank]) continue;
    if (last == nullptr || member.time.start > last->time.start) last = &member;
  }
  return last;
}

std::vector<std::uint32_t> late_ranks(std::span<const RankWork> ranks, const Matches& matches,
                                      const Interval& window, std::span<const Ns> clock_errors) {
  std::vector<double> late(ranks.size());  // in ns: first the sum, then the mean
  std::vector<double> collectives(ranks.size());
  for (const MatchedCollective& one : matches.collectives) {
    if (!begins_in(one, window) || one.is_pair) continue;
    Ns first = one.members.front().time.start;
    for (const Member& member : one.members) first = std::min(first, member.time.start);
    for (const Member& member : one.members) {
      late[member.rank] += static_cast<double>(member.time.start - first);
      ++collectives[member.rank];
    }
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (collectives[r] == 0) continue;
    late[r] /= collectives[r];
    order.push_back(r);
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t r) { return late[r]; });
  std::size_t count = 0;
  double largest = 0;
  for (std::size_t i = 1; 2 * i <= order.size(); ++i) {
    const double gap = late[order[i - 1]] - late[order[i]];
    const Ns error = error_between(ranks, clock_errors, order[i - 1], order[i]);
    if (gap <= std::max(largest, static_cast<double>(error))) continue;
    count = i;
    largest = gap;
  }
  order.resize(count);
  return order;
}

std::int64_t last_of(const RankSet& set, std::span<const RankWork> ranks, const Matches& matches,
                     const Interval& window, std::span<const Ns> clock_errors) {
  return std::ranges::count_if(matches.collectives, [&](const MatchedCollective& one) {
    const Member* const before = last_outside(one, set);
    const Member& last = one.last();
    return begins_in(one, window) && before != nullptr && set[last.rank] &&
           late_after(last, *before, ranks, clock_errors) > 0;
  });
}

SmallCollectives small_collectives(std::span<const RankWork> ranks, const Matches& matches,
                                   const Interval& window) {
  // The rank of the first member, its communicator, and the name of its kernel.
  using Kind = std::tuple<std::uint32_t, std::uint32_t, std::string>;
  struct Row {
    Kind kind;
    Interval time;
    std::vector<std::size_t> members;  // in Matches::collectives
  };
  constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();
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
  std::vector<Row> rows;
  // By rank: the row of the rank's previous collective. The next collective can continue a row only
  // if this is the row of all its members.
  std::vector<std::size_t> row_of(ranks.size(), no_row);
  for (std::size_t c = 0; c < matches.collectives.size(); ++c) {
    const MatchedCollective& one = matches.collectives[c];
    if (!joins_all(one.kind) || !begins_in(one, window)) continue;
    const Interval time{one.last_start(), one.end()};
    const std::size_t before = row_of[one.members.front().rank];
    const bool is_same = before != no_row && rows[before].kind == kind_of(one) &&
                         std::ranges::all_of(one.members, [&](const Member& member) {
                           return row_of[member.rank] == before;
                         });
    const bool goes_on = is_same && time.start >= rows[before].time.end &&
                         !computes_in(one, {rows[before].time.start, time.end});
    if (!goes_on) {
      for (const Member& member : one.members) row_of[member.rank] = rows.size();
      rows.push_back({kind_of(one), time, {}});
    }
    Row& row = rows[row_of[one.members.front().rank]];
    row.time.end = std::max(row.time.end, time.end);
    row.members.push_back(c);
  }
  SmallCollectives result;
  std::vector<Interval> times;
  for (const Row& row : rows) {
    if (row.members.size() < assumed::enough_examples) continue;
    result.merged.resize(matches.collectives.size());
    result.collectives += static_cast<std::int64_t>(row.members.size());
    times.push_back(row.time);
    for (const std::size_t c : row.members) {
      const MatchedCollective& one = matches.collectives[c];
      result.most_bytes = std::max(result.most_bytes, one.bytes);
      if (c == row.members.front()) continue;
      const Ns quickest_of_kind = quickest[row.kind];
      result.merged[c] = std::max<Ns>(0, one.end() - one.last_start() - quickest_of_kind);
    }
  }
  result.row_ns = IntervalSet::union_of(std::move(times)).length();
  return result;
}

}  // namespace lapscope::analyzer

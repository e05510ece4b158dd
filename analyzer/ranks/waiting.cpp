#include "analyzer/ranks/waiting.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/rank_clocks.h"

namespace lapscope::analyzer {
namespace {

using Member = MatchedCollective::Member;

bool begins_in(const MatchedCollective& one, const Interval& window) {
  const Ns start = one.last_start();
  return window.start <= start && start < window.end;
}

}  // namespace

Ns late_by(const MatchedCollective& one, std::span<const RankWork> ranks,
           std::span<const Ns> clock_errors) {
  if (one.members.size() < 2) return 0;
  const Member& last = one.last();
  const Member* before = nullptr;  // the one that began second last
  for (const Member& member : one.members) {
    const bool is_later = before == nullptr || member.time.start > before->time.start;
    if (&member != &last && is_later) before = &member;
  }
  if (before->time.end <= last.time.start) return 0;
  const bool is_sure = std::ranges::all_of(one.members, [&](const Member& member) {
    return &member == &last || last.time.start - member.time.start >
                                   error_between(ranks, clock_errors, last.rank, member.rank);
  });
  return is_sure ? last.time.start - before->time.start : 0;
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

SmallCollectives small_collectives(std::span<const RankWork> ranks, const Matches& matches,
                                   const Interval& window) {
  struct Row {
    Interval time;
    std::vector<std::size_t> members;  // in Matches::collectives
  };
  // The rank of the first member, its communicator, and the name of its kernel.
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
  std::vector<Ns> in_rows(ranks.size());  // by rank: the time of its rows
  const auto end_row = [&](const Kind& kind, Row& row) {
    if (row.members.size() >= assumed::enough_examples) {
      result.merged.resize(matches.collectives.size());
      result.collectives += static_cast<std::int64_t>(row.members.size());
      for (const Member& member : matches.collectives[row.members.front()].members) {
        in_rows[member.rank] += row.time.length();
      }
      for (const std::size_t c : row.members) {
        const MatchedCollective& one = matches.collectives[c];
        result.most_bytes = std::max(result.most_bytes, one.bytes);
        if (c == row.members.front()) continue;
        result.merged[c] = std::max<Ns>(0, one.end() - one.last_start() - quickest[kind]);
      }
    }
    row = {};
  };
  // Ranks that form several groups have a row in each group at the same time.
  std::map<Kind, Row> rows;
  std::vector<const Row*> last_rows(ranks.size());  // by rank: the row of its last collective
  for (std::size_t c = 0; c < matches.collectives.size(); ++c) {
    const MatchedCollective& one = matches.collectives[c];
    if (!joins_all(one.kind) || !begins_in(one, window)) continue;
    const Interval time{one.last_start(), one.end()};
    const Kind kind = kind_of(one);
    Row& row = rows[kind];
    const bool is_next = std::ranges::all_of(
        one.members, [&](const Member& member) { return last_rows[member.rank] == &row; });
    const bool goes_on =
        is_next && time.start >= row.time.end && !computes_in(one, {row.time.start, time.end});
    if (!goes_on) {
      end_row(kind, row);
      row.time = time;
    }
    for (const Member& member : one.members) last_rows[member.rank] = &row;
    row.time.end = std::max(row.time.end, time.end);
    row.members.push_back(c);
  }
  for (auto& [kind, row] : rows) end_row(kind, row);
  result.row_ns = in_rows.empty() ? 0 : *std::ranges::max_element(in_rows);
  return result;
}

}  // namespace lapscope::analyzer

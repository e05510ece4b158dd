#include "analyzer/ranks/waiting.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

Interval clipped(Interval interval, const Interval& window) {
  interval.start = std::clamp(interval.start, window.start, window.end);
  interval.end = std::clamp(interval.end, window.start, window.end);
  return interval;
}

// What a rank does besides communicating, of an interval of the ranks' clock.
Ns other_work_in(const RankWork& rank, Ns offset, const Interval& interval) {
  return rank.other_work.length_in({interval.start - offset, interval.end - offset});
}

bool begins_in(const MatchedCollective& one, const Interval& window) {
  const Ns start = one.last_start();
  return window.start <= start && start < window.end;
}

}  // namespace

RankTime rank_time(std::span<const RankWork> ranks, std::span<const Ns> offsets,
                   const Matches& matches, std::size_t rank, const Interval& window) {
  const RankWork& work = ranks[rank];
  const Ns offset = offsets[rank];
  std::vector<bool> is_matched(work.collectives.size());
  std::vector<Interval> waiting;
  std::vector<Interval> transferring;
  for (const MatchedCollective& one : matches.collectives) {
    is_matched[one.members[rank]] = true;
    const Interval& own = one.times[rank];
    const Ns joined = std::clamp(one.last_start(), own.start, own.end);
    waiting.push_back(clipped({own.start, joined}, window));
    transferring.push_back(clipped({joined, own.end}, window));
  }
  std::vector<Interval> others;
  for (std::size_t c = 0; c < is_matched.size(); ++c) {
    const Interval& own = work.collectives[c].interval;
    if (!is_matched[c]) others.push_back(clipped({own.start + offset, own.end + offset}, window));
  }
  std::vector<Interval> computing;
  for (const Interval& one : work.other_work.intervals()) {
    computing.push_back(clipped({one.start + offset, one.end + offset}, window));
  }
  // Each instant is what comes first of these.
  RankTime time;
  IntervalSet so_far;
  const auto take = [&so_far](Ns& part, std::vector<Interval> intervals) {
    const Ns before = so_far.length();
    so_far = unite(so_far, IntervalSet::union_of(std::move(intervals)));
    part = so_far.length() - before;
  };
  take(time.computing, std::move(computing));
  take(time.transferring, std::move(transferring));
  take(time.other_communication, std::move(others));
  take(time.waiting, std::move(waiting));
  time.idle = window.length() - so_far.length();
  return time;
}

std::vector<Lateness> lateness(std::span<const RankWork> ranks, std::span<const Ns> offsets,
                               const Matches& matches, const Interval& window, Ns error) {
  std::vector<Lateness> result(ranks.size());
  for (const MatchedCollective& one : matches.collectives) {
    if (ranks.size() < 2 || !begins_in(one, window)) continue;
    const std::uint32_t last = one.last();
    std::size_t before = last == 0 ? 1 : 0;  // the rank that started before the last one
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      if (r != last && one.times[r].start > one.times[before].start) before = r;
    }
    const Interval alone = clipped({one.times[before].start, one.times[last].start}, window);
    if (alone.length() <= error) continue;
    ++result[last].last;
    result[last].alone_ns += alone.length() - other_work_in(ranks[before], offsets[before], alone);
  }
  return result;
}

SmallCollectives small_collectives(std::span<const RankWork> ranks, std::span<const Ns> offsets,
                                   const Matches& matches, const Interval& window) {
  struct Row {
    Interval time;
    std::int64_t count = 0;
    Ns transfers = 0;
  };
  using Kind = std::pair<CollectiveKind, std::string>;
  const auto kind_of = [&](const MatchedCollective& one) {
    const RankCollective& first = ranks[0].collectives[one.members[0]];
    return Kind{one.kind, ranks[0].names[first.name]};
  };
  std::map<Kind, Ns> quickest;
  for (const MatchedCollective& one : matches.collectives) {
    if (!begins_in(one, window)) continue;
    const Ns transfer = one.end() - one.last_start();
    const auto [known, is_new] = quickest.try_emplace(kind_of(one), transfer);
    if (!is_new) known->second = std::min(known->second, transfer);
  }
  const auto computes_in = [&](const Interval& interval) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      if (other_work_in(ranks[r], offsets[r], interval) > 0) return true;
    }
    return false;
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
        result.row_ns += row.time.length();
        result.saving += saving;
      }
    }
    row = {};
  };
  for (const MatchedCollective& one : matches.collectives) {
    if (!begins_in(one, window)) continue;
    const Interval time{one.last_start(), one.end()};
    const bool goes_on = row.count > 0 && kind_of(one) == kind && time.start >= row.time.end &&
                         !computes_in({row.time.start, time.end});
    if (!goes_on) {
      end_row();
      kind = kind_of(one);
      row.time = time;
    }
    row.time.end = std::max(row.time.end, time.end);
    ++row.count;
    row.transfers += time.length();
  }
  end_row();
  return result;
}

}  // namespace lapscope::analyzer

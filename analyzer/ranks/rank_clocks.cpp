#include "analyzer/ranks/rank_clocks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/match_messages.h"

namespace lapscope::analyzer {
namespace {

struct Bounds {
  std::vector<ClockBound> at_least;
  std::vector<ClockBound> at_most;
  std::optional<Interval> whole;  // when the host's ranks ran
};

// The k-th kernels of the first host's ranks, of all ranks that have this many.
std::vector<Interval> latest_start_to_first_end(std::span<const RankWork> ranks,
                                                const JoiningKernels& kernels, std::size_t count) {
  std::vector<Interval> result;
  for (const auto& member : kernels.members) {
    const RankWork& rank = ranks[member.rank];
    if (rank.host != ranks[0].host || member.kernels.size() != count) continue;
    for (std::size_t k = 0; k < count; ++k) {
      const Interval& own = rank.collectives[member.kernels[k]].interval;
      if (result.size() == k) result.push_back(own);
      result[k].start = std::max(result[k].start, own.start);
      result[k].end = std::min(result[k].end, own.end);
    }
  }
  return result;
}

void add_bounds(std::span<const RankWork> ranks, const JoiningKernels& kernels,
                std::map<std::string, Bounds>& by_host) {
  std::map<std::size_t, std::vector<Interval>> first_host;  // by number of kernels
  for (const auto& member : kernels.members) {
    const RankWork& rank = ranks[member.rank];
    if (rank.host == ranks[0].host) continue;
    const std::size_t count = member.kernels.size();
    const auto [known, is_new] = first_host.try_emplace(count);
    if (is_new) known->second = latest_start_to_first_end(ranks, kernels, count);
    Bounds& bounds = by_host[rank.host];
    for (std::size_t k = 0; k < known->second.size(); ++k) {
      const Interval& a = known->second[k];
      const Interval& b = rank.collectives[member.kernels[k]].interval;
      bounds.at_least.push_back({b.end, a.start - b.end});
      bounds.at_most.push_back({b.start, a.end - b.start});
    }
  }
}

// A receive does not end before its send begins.
void add_bounds(std::span<const RankWork> ranks, const MessageRoute& route,
                std::map<std::string, Bounds>& by_host) {
  const RankWork& sender = ranks[route.sender];
  const RankWork& receiver = ranks[route.receiver];
  const bool sends_first = sender.host == ranks[0].host;
  const bool receives_first = receiver.host == ranks[0].host;
  if (sends_first == receives_first || route.sends.size() != route.receives.size()) return;
  for (std::size_t k = 0; k < route.sends.size(); ++k) {
    const Ns sent = sender.collectives[route.sends[k]].interval.start;
    const Ns received = receiver.collectives[route.receives[k]].interval.end;
    if (sends_first) {
      by_host[receiver.host].at_least.push_back({received, sent - received});
    } else {
      by_host[sender.host].at_most.push_back({sent, received - sent});
    }
  }
}

}  // namespace

RankClocks rank_clocks(std::span<const RankWork> ranks) {
  RankClocks clocks;
  clocks.lines.resize(ranks.size());
  clocks.without_utc = std::count_if(ranks.begin(), ranks.end(), [](const RankWork& rank) {
    return rank.whole.start < latest_time;
  });
  std::map<std::string, Bounds> by_host;
  for (const RankWork& rank : ranks) {
    if (rank.host == ranks[0].host) continue;
    std::optional<Interval>& whole = by_host[rank.host].whole;
    if (!whole) whole = rank.whole;
    whole->start = std::min(whole->start, rank.whole.start);
    whole->end = std::max(whole->end, rank.whole.end);
  }
  if (by_host.empty()) return clocks;
  for (const JoiningKernels& kernels : joining_kernels(ranks)) {
    add_bounds(ranks, kernels, by_host);
  }
  for (const MessageRoute& route : message_routes(ranks)) add_bounds(ranks, route, by_host);
  std::map<std::string, ClockLine> lines;
  for (const auto& [host, bounds] : by_host) {
    if (bounds.at_least.empty() || bounds.at_most.empty()) {
      clocks.is_unknown = true;
    } else if (const auto fitted = fit_clock(bounds.at_least, bounds.at_most, *bounds.whole)) {
      clocks.error = std::max(clocks.error, fitted->error);
      lines[host] = fitted->line;
    } else {
      clocks.is_contradicted = true;
    }
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const auto found = lines.find(ranks[r].host);
    if (found != lines.end()) clocks.lines[r] = found->second;
  }
  return clocks;
}

void move_to_common_clock(const RankClocks& clocks, std::span<RankWork> ranks) {
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    RankWork& rank = ranks[r];
    if (rank.host == ranks[0].host) continue;
    const auto moved = [&line = clocks.lines[r]](const Interval& interval) {
      return Interval{line.on_common_clock(interval.start), line.on_common_clock(interval.end)};
    };
    rank.whole = moved(rank.whole);
    rank.judged = moved(rank.judged);
    std::vector<Interval> work;
    for (const Interval& one : rank.other_work.intervals()) work.push_back(moved(one));
    rank.other_work = IntervalSet::union_of(std::move(work));
    for (RankCollective& one : rank.collectives) one.interval = moved(one.interval);
  }
}

}  // namespace lapscope::analyzer

#include "analyzer/ranks/rank_clocks.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/match_messages.h"

namespace lapscope::analyzer {
namespace {

struct Bounds {
  std::vector<ClockBound> at_least;
  std::vector<ClockBound> at_most;
  std::optional<Interval> whole;  // when the host's ranks ran
};

// What is known of the hosts' clocks so far.
class KnownClocks {
 public:
  explicit KnownClocks(std::span<const RankWork> ranks) : ranks_(ranks) {
    if (!ranks.empty()) by_host_[ranks[0].host];
  }

  bool has(const std::string& host) const { return by_host_.count(host) > 0; }
  void add(const std::string& host, const FittedClock& clock) { by_host_[host] = clock; }
  FittedClock of(const std::string& host) const {
    return has(host) ? by_host_.at(host) : FittedClock();
  }
  // The errors of two hosts' clocks add up.
  Ns greatest_error() const {
    Ns most = 0;
    Ns second = 0;
    for (const auto& [host, clock] : by_host_) {
      second = std::max(second, std::min(most, clock.error));
      most = std::max(most, clock.error);
    }
    return most + second;
  }

  // The interval of a kernel on the common clock, from its earliest start to its latest end. Empty
  // if the clock of the rank's host is not known.
  std::optional<Interval> on_common_clock(std::uint32_t rank, std::uint32_t kernel) const {
    const auto known = by_host_.find(ranks_[rank].host);
    if (known == by_host_.end()) return std::nullopt;
    const auto& [line, error] = known->second;
    const Interval& time = ranks_[rank].collectives[kernel].interval;
    return Interval{line.on_common_clock(time.start) - error,
                    line.on_common_clock(time.end) + error};
  }

 private:
  std::span<const RankWork> ranks_;
  std::map<std::string, FittedClock> by_host_;
};

// Returns, for each k, the interval from the latest start to the earliest end of the k-th kernels
// of all ranks. Uses only ranks with exactly `count` kernels and a known clock.
std::vector<Interval> latest_start_to_first_end(const KnownClocks& clocks,
                                                const JoiningKernels& kernels, std::size_t count) {
  std::vector<Interval> result;
  for (const auto& member : kernels.members) {
    if (member.kernels.size() != count) continue;
    for (std::size_t k = 0; k < count; ++k) {
      const auto own = clocks.on_common_clock(member.rank, member.kernels[k]);
      if (!own) break;
      if (result.size() == k) result.push_back(*own);
      result[k].start = std::max(result[k].start, own->start);
      result[k].end = std::min(result[k].end, own->end);
    }
  }
  return result;
}

void add_bounds(std::span<const RankWork> ranks, const KnownClocks& clocks,
                const JoiningKernels& kernels, std::map<std::string, Bounds>& by_host) {
  std::map<std::size_t, std::vector<Interval>> known_hosts;  // by number of kernels
  for (const auto& member : kernels.members) {
    const RankWork& rank = ranks[member.rank];
    const auto host = by_host.find(rank.host);
    if (host == by_host.end()) continue;
    const std::size_t count = member.kernels.size();
    const auto [known, is_new] = known_hosts.try_emplace(count);
    if (is_new) known->second = latest_start_to_first_end(clocks, kernels, count);
    Bounds& bounds = host->second;
    for (std::size_t k = 0; k < known->second.size(); ++k) {
      const Interval& a = known->second[k];
      const Interval& b = rank.collectives[member.kernels[k]].interval;
      bounds.at_least.push_back({b.end, a.start - b.end});
      bounds.at_most.push_back({b.start, a.end - b.start});
    }
  }
}

// Adds the bounds that messages give: a receive does not end before its send begins.
void add_bounds(std::span<const RankWork> ranks, const KnownClocks& clocks,
                const MessageRoute& route, std::map<std::string, Bounds>& by_host) {
  if (route.sends.size() != route.receives.size()) return;
  const auto sender = by_host.find(ranks[route.sender].host);
  const auto receiver = by_host.find(ranks[route.receiver].host);
  for (std::size_t k = 0; k < route.sends.size(); ++k) {
    const Ns sent = ranks[route.sender].collectives[route.sends[k]].interval.start;
    const Ns received = ranks[route.receiver].collectives[route.receives[k]].interval.end;
    if (receiver != by_host.end()) {
      const auto known = clocks.on_common_clock(route.sender, route.sends[k]);
      if (known) receiver->second.at_least.push_back({received, known->start - received});
    }
    if (sender != by_host.end()) {
      const auto known = clocks.on_common_clock(route.receiver, route.receives[k]);
      if (known) sender->second.at_most.push_back({sent, known->end - sent});
    }
  }
}

}  // namespace

void tell_hosts_apart(std::span<RankWork> ranks) {
  std::map<std::string, std::vector<Ns>> machines;  // by name: when each machine started
  for (RankWork& rank : ranks) {
    if (rank.booted == 0) continue;
    std::vector<Ns>& known = machines[rank.host];
    const auto own = std::find_if(known.begin(), known.end(), [&rank](Ns booted) {
      return std::abs(booted - rank.booted) <= assumed::clock_step;
    });
    const auto number = own - known.begin() + 1;
    if (own == known.end()) known.push_back(rank.booted);
    if (number > 1) rank.host += " (" + std::to_string(number) + ")";
  }
}

RankClocks rank_clocks(std::span<const RankWork> ranks) {
  RankClocks clocks;
  clocks.lines.resize(ranks.size());
  clocks.without_utc = std::count_if(ranks.begin(), ranks.end(), [](const RankWork& rank) {
    return rank.whole.start < latest_time;
  });
  std::map<std::string, Bounds> unknown;  // by host
  for (const RankWork& rank : ranks) {
    if (rank.host == ranks[0].host) continue;
    std::optional<Interval>& whole = unknown[rank.host].whole;
    if (!whole) whole = rank.whole;
    whole->start = std::min(whole->start, rank.whole.start);
    whole->end = std::max(whole->end, rank.whole.end);
  }
  const std::vector<JoiningKernels> joining = joining_kernels(ranks);
  const std::vector<MessageRoute> routes = message_routes(ranks);
  KnownClocks known(ranks);
  // Fits each unknown clock that `evidence` relates to a known clock. Returns whether `evidence`
  // relates at least one unknown clock to a known clock.
  const auto fit_next = [&](const auto& evidence) {
    for (const auto& one : evidence) add_bounds(ranks, known, one, unknown);
    const std::size_t before = unknown.size();
    for (auto one = unknown.begin(); one != unknown.end();) {
      auto& [at_least, at_most, whole] = one->second;
      if (at_least.empty() || at_most.empty()) {
        at_least.clear();
        at_most.clear();
        ++one;
        continue;
      }
      if (const auto fitted = fit_clock(at_least, at_most, *whole)) {
        known.add(one->first, *fitted);
      } else {
        clocks.is_contradicted = true;
      }
      one = unknown.erase(one);
    }
    return unknown.size() < before;
  };
  // Messages are used only if no unknown clock can be fitted with collectives.
  while (!unknown.empty() && (fit_next(joining) || fit_next(routes))) continue;
  clocks.is_unknown = !unknown.empty();
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const FittedClock clock = known.of(ranks[r].host);
    clocks.lines[r] = clock.line;
    clocks.errors.push_back(clock.error);
  }
  clocks.error = known.greatest_error();
  return clocks;
}

Ns error_between(std::span<const RankWork> ranks, std::span<const Ns> errors, std::uint32_t a,
                 std::uint32_t b) {
  return errors.empty() || ranks[a].host == ranks[b].host ? 0 : errors[a] + errors[b];
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

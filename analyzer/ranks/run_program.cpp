#include "analyzer/ranks/run_program.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lapscope::analyzer {
namespace {

// A rank's kernel of a collective.
struct JoinedKernel {
  Interval time;  // ends at most at the end of the window
  Ns ready = 0;   // when its data was ready, in the window; its start if that is not known
  std::uint32_t lane = 0;
  std::uint32_t collective = 0;
  std::uint32_t member = 0;
  bool can_be_awaited = false;  // it ended after all ranks that it needs had begun
};

// Returns the times in which a rank communicates with known ranks and does nothing else.
IntervalSet communicating(const RankStates& states) {
  return unite(states.transferring, unite(states.for_messages, states.for_collectives));
}

// Writes the events of one rank.
class ProgramWriter {
 public:
  ProgramWriter(std::vector<JoinedKernel> kernels, const RankStates& states, const Interval& window)
      : kernels_(std::move(kernels)), window_(window), now_(window.start) {
    communicating_ = communicating(states);
    for (std::uint32_t k = 0; k < kernels_.size(); ++k) {
      if (kernels_[k].can_be_awaited) by_end_.push_back(k);
    }
    std::sort(by_end_.begin(), by_end_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::tie(kernels_[a].time.end, a) < std::tie(kernels_[b].time.end, b);
    });
    next_ = communicating_.first_ending_after(now_);
  }

  void write(RunProgram::OfRank& program) {
    std::vector<std::uint32_t> by_ready;
    for (std::uint32_t k = 0; k < kernels_.size(); ++k) {
      if (kernels_[k].time.start >= window_.start) by_ready.push_back(k);
    }
    std::ranges::stable_sort(by_ready, {}, [this](std::uint32_t k) { return kernels_[k].ready; });
    for (const std::uint32_t k : by_ready) {
      pass(kernels_[k].ready);
      add(kernels_[k], false);
    }
    pass(window_.end);
    program.events = std::move(events_);
    program.last = own_;
    program.own = all_own_ + own_;
  }

 private:
  void add(const JoinedKernel& kernel, bool is_wait) {
    all_own_ += own_;
    const Ns lead = is_wait ? 0 : kernel.time.start - kernel.ready;
    events_.push_back(
        {std::exchange(own_, 0), lead, kernel.collective, kernel.member, kernel.lane, is_wait});
  }

  // Divides the time from `now_` to `until` into own time and waits.
  void pass(Ns until) {
    const std::span<const Interval> parts = communicating_.intervals();
    for (; next_ < parts.size() && parts[next_].start < until; ++next_) {
      const Ns start = std::max(now_, parts[next_].start);
      const Ns end = std::min(until, parts[next_].end);
      own_ += start - now_;
      now_ = start;
      while (ended_ < by_end_.size() && kernels_[by_end_[ended_]].time.end <= end) ++ended_;
      // If a kernel ended between `start` and `end`, the rank waited for the last such kernel.
      if (ended_ > 0 && kernels_[by_end_[ended_ - 1]].time.end > start) {
        const JoinedKernel& kernel = kernels_[by_end_[ended_ - 1]];
        add(kernel, true);
        now_ = kernel.time.end;
      }
      own_ += end - now_;
      now_ = end;
      if (parts[next_].end > until) break;
    }
    own_ += until - now_;
    now_ = until;
  }

  std::vector<JoinedKernel> kernels_;  // by start
  std::vector<std::uint32_t> by_end_;  // in kernels_
  IntervalSet communicating_;          // when the rank only communicates, with ranks that are known
  std::size_t next_ = 0;               // in communicating_
  std::size_t ended_ = 0;              // number of kernels that have ended, in by_end_
  Interval window_;
  Ns now_;
  Ns own_ = 0;      // since the last event
  Ns all_own_ = 0;  // before the last event
  std::vector<RankEvent> events_;
};

// Sets `lane` and `ready` of each kernel. Returns the number of lanes. `kernels` is sorted by
// start.
// - In each lane, kernels get ready in order.
// - The first kernel of a lane is ready at its recorded start, because the kernel before it is not
//   replayed.
// - If a kernel got ready while the rank only communicated, `ready` is the begin of this
//   communication. From this begin on, the rank had no own time that could delay the kernel.
std::uint32_t set_ready(const Matches& matches, const RankWork& rank,
                        const IntervalSet& communicating, const Interval& window,
                        std::vector<JoinedKernel>& kernels) {
  struct Lane {
    std::uint32_t number = 0;
    Ns ready = 0;  // when the data of the kernel before was ready
  };
  std::map<std::uint32_t, Lane> lanes;  // by stream
  for (JoinedKernel& kernel : kernels) {
    if (kernel.time.start < window.start) continue;
    const MatchedCollective& collective = matches.collectives[kernel.collective];
    const RankCollective& one = rank.collectives[collective.members[kernel.member].kernel];
    const auto number = static_cast<std::uint32_t>(lanes.size());
    const auto [lane, is_first] =
        lanes.try_emplace(rank.communicators[one.communicator].stream, Lane{number, kernel.ready});
    kernel.lane = lane->second.number;
    if (!is_first && one.lead > 0) {
      const Ns ready = kernel.time.start - one.lead;
      const std::size_t part = communicating.first_ending_after(ready);
      const bool is_in_part =
          part < communicating.intervals().size() && communicating.intervals()[part].start < ready;
      kernel.ready = is_in_part ? communicating.intervals()[part].start : ready;
    }
    kernel.ready = lane->second.ready = std::max(lane->second.ready, kernel.ready);
  }
  return static_cast<std::uint32_t>(lanes.size());
}

}  // namespace

RunProgram::OfRank program_of_rank(const Matches& matches, std::span<const RankWork> ranks,
                                   std::size_t of, std::span<const RankMember> members,
                                   const RankStates& states, const Interval& window) {
  const RankWork& rank = ranks[of];
  RunProgram::OfRank program;
  const bool has_host_times = !rank.collectives.empty() && rank.collectives.back().host_time > 0;
  program.host_begin = has_host_times ? latest_time : -latest_time;
  std::vector<JoinedKernel> kernels;
  for (const RankMember& one : members) {
    const Interval& time = one.member->time;
    if (time.start >= window.end) continue;
    const auto collective = static_cast<std::uint32_t>(one.collective - matches.collectives.data());
    const auto member = static_cast<std::uint32_t>(one.member - one.collective->members.data());
    kernels.push_back({{time.start, std::min(time.end, window.end)},
                       time.start,
                       0,
                       collective,
                       member,
                       time.end > one.member->ready});
    if (time.end > window.start || time.start >= window.start) {
      const Ns host_time = rank.collectives[one.member->kernel].host_time;
      program.host_begin = std::min(program.host_begin, time.start - window.start - host_time);
    }
    program.has_pairs |= one.collective->is_pair && time.end > window.start;
  }
  std::ranges::sort(kernels, {}, [](const JoinedKernel& kernel) {
    return std::tuple(kernel.time.start, kernel.collective);
  });
  program.lanes = set_ready(matches, rank, communicating(states), window, kernels);
  ProgramWriter(std::move(kernels), states, window).write(program);
  program.events.shrink_to_fit();
  return program;
}

RunProgram::OfRank ready_at_start(const RunProgram& program, std::uint32_t rank) {
  RunProgram::OfRank moved = program.of_rank[rank];
  const std::vector<RankEvent> events = std::exchange(moved.events, {});
  std::multimap<Ns, RankEvent> later;  // by start: kernels that were ready before
  Ns now = program.window.start;       // in the recording
  Ns own = 0;                          // since the last event of `moved`
  const auto add = [&](RankEvent event) {
    event.own = std::exchange(own, 0);
    event.lead = event.is_wait ? 0 : program.member(event).time.start - now;
    moved.events.push_back(event);
  };
  // Moves `now` forward by `length` ns of the rank's own time. Adds the kernels that start in this
  // time.
  const auto pass = [&](Ns length) {
    const Ns end = now + length;
    while (!later.empty() && later.begin()->first <= end) {
      const Ns start = std::max(now, later.begin()->first);
      own += start - std::exchange(now, start);
      add(later.extract(later.begin()).mapped());
    }
    own += end - std::exchange(now, end);
  };
  for (const RankEvent& event : events) {
    pass(event.own);
    if (!event.is_wait) {
      later.insert({program.member(event).time.start, event});
      continue;
    }
    const Ns end = program.end_of(event);
    while (!later.empty() && later.begin()->first < end) {
      add(later.extract(later.begin()).mapped());
    }
    add(event);
    now = end;
  }
  pass(moved.last);
  moved.last = own;
  return moved;
}

std::vector<PathPart> critical_path(const RunProgram& program) {
  // Returns the time at which an event was recorded.
  const auto time_of = [&program](const RankEvent& event) {
    return event.is_wait ? program.end_of(event) : program.member(event).time.start - event.lead;
  };
  // Returns the last wait of a rank that ended at `time` or earlier; null if there is none. A wait
  // that lasted until the end of the window does not count.
  const auto wait_before = [&](std::uint32_t rank, Ns time) {
    const std::vector<RankEvent>& events = program.of_rank[rank].events;
    auto after =
        std::upper_bound(events.begin(), events.end(), time,
                         [&](Ns until, const RankEvent& event) { return until < time_of(event); });
    while (after != events.begin() &&
           (!std::prev(after)->is_wait || program.is_open(*std::prev(after)))) {
      --after;
    }
    return after == events.begin() ? nullptr : &*std::prev(after);
  };
  std::vector<PathPart> path;
  Ns now = program.window.end;
  // The path ends in the first rank that does not wait at the end of the window. If all ranks wait
  // there, it ends in rank 0.
  const auto ends_in_wait = [&program](const RunProgram::OfRank& of_rank) {
    return !of_rank.events.empty() && of_rank.events.back().is_wait &&
           program.is_open(of_rank.events.back());
  };
  const auto first = std::ranges::find_if_not(program.of_rank, ends_in_wait);
  const bool is_any = first != program.of_rank.end();
  auto rank = is_any ? static_cast<std::uint32_t>(first - program.of_rank.begin()) : 0;
  while (now > program.window.start) {
    const RankEvent* const wait = wait_before(rank, now);
    const Ns since = wait == nullptr ? program.window.start : program.end_of(*wait);
    if (since < now) path.push_back({rank, {since, now}, false});
    now = since;
    if (wait == nullptr) break;
    const Ns ready = std::clamp(program.member(*wait).ready, program.window.start, now);
    path.push_back({rank, {ready, now}, true});
    now = ready;
    for (const MatchedCollective::Member& other : program.collective(*wait).members) {
      if (other.time.start == ready) rank = other.rank;
    }
  }
  return path;
}

}  // namespace lapscope::analyzer

#include "analyzer/scope/range_work.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

using ByThread = std::map<std::int64_t, std::vector<Interval>>;

std::map<std::int64_t, IntervalSet> united(ByThread intervals) {
  std::map<std::int64_t, IntervalSet> sets;
  for (auto& [tid, of_thread] : intervals) {
    sets.emplace(tid, IntervalSet::union_of(std::move(of_thread)));
  }
  return sets;
}

}  // namespace

HelperThreads::HelperThreads(const Trace& trace) : calls_(trace.calls) {
  for (std::uint32_t thread = 0; thread < calls_.threads.size(); ++thread) {
    threads_.emplace(calls_.threads[thread].global_tid, thread);
  }
  issues_.resize(calls_.threads.size());
  for (const Device& device : trace.devices) {
    std::uint32_t last_call = no_index;
    for (const std::uint32_t call : device.ops.issue) {
      if (call == no_index || call == last_call) continue;
      issues_[calls_.thread_of(call)] = true;
      last_call = call;
    }
  }
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Interval>> open;
  for (const NvtxRange& range : trace.ranges) {
    if (range.is_process_wide) continue;
    auto& intervals = open[{range.global_tid, range.domain}];
    const Interval own = range.interval;
    if (!intervals.empty() && own.start <= intervals.back().end &&
        intervals.back().start <= own.end) {  // merges nested ranges to save memory
      intervals.back().extend_to(own);
    } else {
      intervals.push_back(own);
    }
    auto& borders = borders_[range.global_tid];
    borders.push_back(range.interval.start);
    borders.push_back(range.interval.end);
  }
  for (auto& [of, intervals] : open) open_[of] = IntervalSet::union_of(std::move(intervals));
  for (auto& [thread, borders] : borders_) std::sort(borders.begin(), borders.end());
}

const IntervalSet& HelperThreads::open_ranges(std::int64_t global_tid, std::int64_t domain) const {
  static const IntervalSet none;
  const auto found = open_.find({global_tid, domain});
  return found == open_.end() ? none : found->second;
}

Helps HelperThreads::helps(std::int64_t helper, std::int64_t caller, std::int64_t domain) {
  const auto [known, is_new] = known_.try_emplace({helper, caller, domain}, Helps::undecided);
  if (is_new) known->second = judge(helper, caller, domain);
  return known->second;
}

std::optional<Interval> HelperThreads::pause_at(std::int64_t caller, Ns time) const {
  const Calls::Thread& thread = calls_.threads[threads_.at(caller)];
  const auto ends = std::span(calls_.end).subspan(thread.first, thread.last - thread.first);
  const auto after =
      static_cast<std::uint32_t>(std::upper_bound(ends.begin(), ends.end(), time) - ends.begin());
  Interval pause{0, latest_time};
  if (after > 0) pause.start = ends[after - 1];
  if (after < ends.size()) pause.end = calls_.start[thread.first + after];
  if (pause.end <= time) return std::nullopt;
  const auto borders = borders_.find(caller);
  if (borders == borders_.end()) return pause;
  const auto next = std::upper_bound(borders->second.begin(), borders->second.end(), time);
  if (next != borders->second.begin()) pause.start = std::max(pause.start, *std::prev(next));
  if (next != borders->second.end()) pause.end = std::min(pause.end, *next);
  return pause;
}

Helps HelperThreads::judge(std::int64_t helper, std::int64_t caller, std::int64_t domain) const {
  const auto thread = threads_.find(caller);
  if (thread == threads_.end() || !issues_[thread->second]) return Helps::undecided;
  const IntervalSet& ranges = open_ranges(helper, domain);
  double all = 0;
  double waited = 0;
  // The last pause, and whether the helper's ranges fill enough of it.
  Interval last{0, 0};
  bool is_filled = false;
  const auto fills = [&](const Interval& pause) {
    if (pause.start == last.start && pause.end == last.end) return is_filled;
    last = pause;
    Ns filled = 0;
    for (std::size_t i = ranges.first_ending_after(pause.start); i < ranges.intervals().size();
         ++i) {
      const Interval& range = ranges.intervals()[i];
      if (range.start >= pause.end) break;
      filled += std::min(range.end, pause.end) - std::max(range.start, pause.start);
    }
    is_filled =
        static_cast<double>(filled) >= assumed::large_part * static_cast<double>(pause.length());
    return is_filled;
  };
  for (const Interval& own : open_ranges(caller, domain).intervals()) {
    for (std::size_t i = ranges.first_ending_after(own.start); i < ranges.intervals().size(); ++i) {
      const Interval& range = ranges.intervals()[i];
      if (range.end > own.end) break;
      if (range.start < own.start) continue;
      ++all;
      const auto pause = pause_at(caller, range.start);
      if (pause && range.end <= pause->end && fills(*pause)) ++waited;
    }
  }
  if (all == 0) return Helps::undecided;
  if (all - waited <= all * assumed::hardly_any) return Helps::yes;
  return waited > all * assumed::majority ? Helps::undecided : Helps::no;
}

std::string_view name_of(RangeThreads threads) {
  return threads == RangeThreads::own ? "own" : "helpers";
}

// The ranges of one name in one process and one domain.
struct RangeWorkFinder::Instances {
  std::int64_t domain = 0;
  std::map<std::int64_t, IntervalSet> opened;  // by thread
  IntervalSet open;                            // by any thread
  IntervalSet process_wide;                    // only start/end ranges
};

// Facts about a thread that are needed for each of its calls.
struct RangeWorkFinder::OfThread {
  std::int64_t tid = 0;
  const IntervalSet* opened = nullptr;  // the instances that it opened, if any
  const IntervalSet* ranges = nullptr;  // all ranges of the thread in the domain
  // The times at which instances are open in other threads that this thread helps (Helps::yes).
  std::optional<IntervalSet> helped;  // computed at the first use, like `undecided`
  // The times at which instances are open in threads with Helps::undecided.
  IntervalSet undecided;
};

RangeWorkFinder::RangeWorkFinder(const Trace& trace, RangeThreads threads)
    : trace_(trace), threads_(threads), helpers_(trace), taken_(trace.devices.size()) {
  const auto& of_calls = trace.calls.threads;
  for (std::uint32_t thread = 0; thread < of_calls.size(); ++thread) {
    threads_of_[pid_of(of_calls[thread].global_tid)].push_back(thread);
  }
  for (const Device& device : trace.devices) {
    const std::vector<std::uint32_t>& issue = device.ops.issue;
    std::vector<std::uint32_t>& ops = by_call_.emplace_back();
    for (std::uint32_t op = 0; op < issue.size(); ++op) {
      if (issue[op] != no_index) ops.push_back(op);
    }
    std::ranges::stable_sort(
        ops, [&issue](std::uint32_t a, std::uint32_t b) { return issue[a] < issue[b]; });
  }
}

std::vector<RangeWork> RangeWorkFinder::work_of(std::span<const NvtxRange> ranges) {
  struct Opened {
    ByThread by_thread;
    std::vector<Interval> all;
    std::vector<Interval> process_wide;
  };
  std::map<std::pair<std::uint32_t, std::int64_t>, Opened> by_domain;  // by process and domain
  for (const NvtxRange& range : ranges) {
    Opened& opened = by_domain[{pid_of(range.global_tid), range.domain}];
    opened.by_thread[range.global_tid].push_back(range.interval);
    opened.all.push_back(range.interval);
    if (range.is_process_wide) opened.process_wide.push_back(range.interval);
  }
  for (auto& [of, opened] : by_domain) {
    const Instances instances{of.second, united(std::move(opened.by_thread)),
                              IntervalSet::union_of(std::move(opened.all)),
                              IntervalSet::union_of(std::move(opened.process_wide))};
    for (const std::uint32_t thread : threads_of_[of.first]) collect(instances, thread);
  }
  std::vector<RangeWork> works;
  for (std::vector<Taken>& taken : taken_) {
    RangeWork& work = works.emplace_back();
    // An op may belong to ranges of several domains. It counts once, with the most certain Way.
    std::ranges::sort(taken, [](const Taken& a, const Taken& b) {
      return std::tie(a.op, a.way) < std::tie(b.op, b.way);
    });
    std::set<std::uint32_t> helping;
    std::set<std::uint32_t> undecided;
    std::uint32_t last = no_index;
    for (const Taken& one : taken) {
      if (one.op == last) continue;
      last = one.op;
      if (one.way == Way::undecided) {
        ++work.issuers.undecided;
        undecided.insert(one.thread);
        continue;
      }
      work.ops.push_back(one.op);
      ++(one.way == Way::opener ? work.issuers.opener : work.issuers.helpers);
      if (one.way == Way::helper) helping.insert(one.thread);
    }
    work.issuers.helper_threads = static_cast<std::int64_t>(helping.size());
    work.issuers.undecided_threads = static_cast<std::int64_t>(undecided.size());
    taken.clear();
  }
  return works;
}

// Walks through calls and instances together. Skips calls outside all instances.
void RangeWorkFinder::collect(const Instances& instances, std::uint32_t thread) {
  const Calls& calls = trace_.calls;
  const Calls::Thread& of_calls = calls.threads[thread];
  OfThread of;
  of.tid = of_calls.global_tid;
  if (const auto own = instances.opened.find(of.tid); own != instances.opened.end()) {
    of.opened = &own->second;
  }
  if (threads_ == RangeThreads::own && of.opened == nullptr) return;
  of.ranges = &helpers_.open_ranges(of.tid, instances.domain);
  const IntervalSet& open = threads_ == RangeThreads::own ? *of.opened : instances.open;
  const auto intervals = open.intervals();
  const auto among = [&](std::uint32_t call, std::uint32_t end) {
    while (call < end) {
      const std::size_t next = open.first_ending_after(calls.start[call]);
      if (next == intervals.size()) return;
      const auto first = std::lower_bound(calls.start.begin() + call, calls.start.begin() + end,
                                          intervals[next].start);
      call = static_cast<std::uint32_t>(first - calls.start.begin());
      for (; call < end && calls.start[call] < intervals[next].end; ++call) {
        if (calls.end[call] > intervals[next].end) continue;
        take(call, thread, way_of(instances, of, calls.interval(call)));
      }
    }
  };
  among(of_calls.first, of_calls.last);
  among(of_calls.last, of_calls.end);
}

RangeWorkFinder::Way RangeWorkFinder::way_of(const Instances& instances, OfThread& of,
                                             const Interval& call) {
  if (of.opened && of.opened->contains(call)) return Way::opener;
  if (threads_ == RangeThreads::own) return Way::none;
  const bool has_range = of.ranges->contains({call.start, call.start + 1});
  if (!has_range || instances.process_wide.contains(call)) return Way::helper;
  if (!of.helped) {
    std::vector<Interval> helped;
    std::vector<Interval> undecided;
    for (const auto& [caller, opened] : instances.opened) {
      const Helps helps =
          caller == of.tid ? Helps::no : helpers_.helps(of.tid, caller, instances.domain);
      if (helps == Helps::no) continue;
      auto& list = helps == Helps::yes ? helped : undecided;
      list.insert(list.end(), opened.intervals().begin(), opened.intervals().end());
    }
    of.helped = IntervalSet::union_of(std::move(helped));
    of.undecided = IntervalSet::union_of(std::move(undecided));
  }
  if (of.helped->contains(call)) return Way::helper;
  return of.undecided.contains(call) ? Way::undecided : Way::none;
}

void RangeWorkFinder::take(std::uint32_t call, std::uint32_t thread, Way way) {
  if (way == Way::none) return;
  for (std::size_t device = 0; device < by_call_.size(); ++device) {
    const std::vector<std::uint32_t>& issue = trace_.devices[device].ops.issue;
    const std::vector<std::uint32_t>& ops = by_call_[device];
    auto op = std::ranges::partition_point(ops, [&](std::uint32_t o) { return issue[o] < call; });
    for (; op != ops.end() && issue[*op] == call; ++op) {
      taken_[device].push_back({*op, thread, way});
    }
  }
}

}  // namespace lapscope::analyzer

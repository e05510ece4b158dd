#include "analyzer/scope/range_work.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

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

#include "analyzer/iterations/range_nesting.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

#include "analyzer/iterations/find_iterations.h"

namespace lapscope::analyzer {

RangeNesting::RangeNesting(const Trace& trace, const HostTimeline& host, RangeThreads threads)
    : trace_(trace), host_(host), threads_(threads), around_(trace.ranges.size(), no_index) {
  for (std::uint32_t range = 0; range < around_.size(); ++range) {
    around_[range] = host.range_around(range);
  }
  if (threads_ == RangeThreads::own || trace.ranges.empty()) return;
  find_open_ranges();
  find_callers();
}

std::uint32_t RangeNesting::innermost(std::int64_t global_tid, Ns time) const {
  const std::uint32_t own = host_.innermost_range(global_tid, time);
  if (own != no_index || threads_ == RangeThreads::own) return own;
  const auto process = latest_.find(pid_of(global_tid));
  if (process == latest_.end()) return no_index;
  const auto after = std::ranges::partition_point(
      process->second, [&](const Change& change) { return time_of(change) <= time; });
  return after == process->second.begin() ? no_index : std::prev(after)->latest;
}

Ns RangeNesting::time_of(const Change& change) const {
  const Interval& interval = trace_.ranges[change.border / 2].interval;
  return change.border % 2 == 0 ? interval.start : interval.end;
}

void RangeNesting::find_open_ranges() {
  struct Process {
    std::set<std::uint32_t> open;  // the open ranges, sorted by start
    using End = std::pair<Ns, std::uint32_t>;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;  // the ends of open ranges
  };
  std::map<std::uint32_t, Process> processes;
  const auto note = [this](std::uint32_t pid, const Process& process, std::uint32_t border) {
    auto& changes = latest_[pid];
    const Change now{border, process.open.empty() ? no_index : *process.open.rbegin()};
    if (!changes.empty() && time_of(changes.back()) == time_of(now)) {
      changes.back() = now;
    } else if (changes.empty() || changes.back().latest != now.latest) {
      changes.push_back(now);
    }
  };
  const auto end_until = [&](std::uint32_t pid, Process& process, Ns time) {
    while (!process.ends.empty() && process.ends.top().first <= time) {
      const std::uint32_t range = process.ends.top().second;
      process.ends.pop();
      process.open.erase(range);
      note(pid, process, 2 * range + 1);
    }
  };
  for (std::uint32_t range = 0; range < trace_.ranges.size(); ++range) {  // sorted by start
    const NvtxRange& one = trace_.ranges[range];
    if (one.interval.length() <= 0) continue;
    const std::uint32_t pid = pid_of(one.global_tid);
    Process& process = processes[pid];
    end_until(pid, process, one.interval.start);
    process.open.insert(range);
    process.ends.emplace(one.interval.end, range);
    note(pid, process, 2 * range);
  }
  for (auto& [pid, process] : processes) end_until(pid, process, latest_time);
}

// A range of a helper thread may lie in a range of the thread that it helps. Finds such outer
// ranges.
void RangeNesting::find_callers() {
  std::map<std::uint32_t, std::set<std::int64_t>> threads;  // those with ranges, by process
  for (const NvtxRange& range : trace_.ranges) {
    threads[pid_of(range.global_tid)].insert(range.global_tid);
  }
  const bool is_any_helped =
      std::ranges::any_of(threads, [](const auto& of) { return of.second.size() > 1; });
  if (!is_any_helped) return;
  HelperThreads helpers(trace_);
  for (std::uint32_t range = 0; range < around_.size(); ++range) {
    const NvtxRange& one = trace_.ranges[range];
    if (around_[range] != no_index || one.is_process_wide) continue;
    for (const std::int64_t caller : threads[pid_of(one.global_tid)]) {
      if (caller == one.global_tid) continue;
      const std::uint32_t outer = host_.innermost_range(caller, one.interval.start);
      if (outer == no_index || outer >= range) continue;
      if (trace_.ranges[outer].domain != one.domain ||
          trace_.ranges[outer].interval.end < one.interval.end ||
          helpers.helps(one.global_tid, caller, one.domain) != Helps::yes) {
        continue;
      }
      if (around_[range] == no_index || around_[range] < outer) around_[range] = outer;
    }
  }
}

std::vector<Ns> work_by_range(const Trace& trace, const RangeNesting& nesting,
                              const std::vector<bool>& communication) {
  std::vector<Ns> work(trace.ranges.size());
  for (const Device& device : trace.devices) {
    for_each_op_in_ranges(trace, device.ops, OpSet::all_of(device.ops), nesting,
                          [&](std::uint32_t op, std::uint32_t range) {
                            if (communicates(communication, device.ops.name[op])) return;
                            work[range] += device.ops.interval(op).length();
                          });
  }
  for (auto inner = static_cast<std::uint32_t>(work.size()); inner-- > 0;) {
    const std::uint32_t outer = nesting.around(inner);
    if (outer != no_index) work[outer] += work[inner];
  }
  return work;
}

const std::string& RangePatterns::of(std::uint32_t range) {
  const std::uint32_t name = trace_.ranges[range].name;
  const auto [known, is_new] = by_name_.try_emplace(name);
  if (is_new) known->second = without_digits(trace_.names.text(name));
  return known->second;
}

}  // namespace lapscope::analyzer

#include "analyzer/iterations/range_nesting.h"

#include <algorithm>
#include <set>
#include <tuple>

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

std::uint32_t RangeNesting::innermost(std::int64_t global_tid, std::int64_t time) const {
  const std::uint32_t own = host_.innermost_range(global_tid, time);
  if (own != no_index || threads_ == RangeThreads::own) return own;
  const auto process = latest_.find(pid_of(global_tid));
  if (process == latest_.end()) return no_index;
  const auto after = std::partition_point(process->second.begin(), process->second.end(),
                                          [time](const auto& from) { return from.first <= time; });
  return after == process->second.begin() ? no_index : std::prev(after)->second;
}

void RangeNesting::find_open_ranges() {
  std::map<std::uint32_t, std::vector<std::tuple<std::int64_t, bool, std::uint32_t>>> borders;
  for (std::uint32_t range = 0; range < trace_.ranges.size(); ++range) {
    const NvtxRange& one = trace_.ranges[range];
    auto& of_process = borders[pid_of(one.global_tid)];
    of_process.emplace_back(one.interval.start, true, range);
    of_process.emplace_back(one.interval.end, false, range);
  }
  for (auto& [pid, of_process] : borders) {
    std::sort(of_process.begin(), of_process.end());
    auto& latest = latest_[pid];
    std::set<std::uint32_t> open;  // the last one began last
    for (const auto& [time, begins, range] : of_process) {
      if (begins && trace_.ranges[range].interval.length() > 0) open.insert(range);
      if (!begins) open.erase(range);
      const std::uint32_t now = open.empty() ? no_index : *open.rbegin();
      if (!latest.empty() && latest.back().first == time) {
        latest.back().second = now;
      } else if (latest.empty() || latest.back().second != now) {
        latest.emplace_back(time, now);
      }
    }
  }
}

// A thread's range in no other one lies in that of a thread that it works for.
void RangeNesting::find_callers() {
  std::map<std::uint32_t, std::set<std::int64_t>> threads;  // with ranges, by process
  for (const NvtxRange& range : trace_.ranges) {
    threads[pid_of(range.global_tid)].insert(range.global_tid);
  }
  const bool is_any_helped = std::any_of(threads.begin(), threads.end(),
                                         [](const auto& of) { return of.second.size() > 1; });
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

const std::string& RangePatterns::of(std::uint32_t range) {
  const std::uint32_t name = trace_.ranges[range].name;
  const auto [known, is_new] = by_name_.try_emplace(name);
  if (is_new) known->second = without_digits(trace_.names.text(name));
  return known->second;
}

}  // namespace lapscope::analyzer

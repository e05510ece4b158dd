#include "analyzer/model/host_timeline.h"

#include <algorithm>

namespace lapscope::analyzer {

HostTimeline::HostTimeline(const Trace& trace) : trace_(trace) {
  for (Overhead overhead : trace.overheads) {
    Overheads& own = overheads_[overhead.global_tid];
    if (!own.empty()) {
      overhead.interval.start = std::max(overhead.interval.start, own.back().interval.end);
    }
    if (overhead.interval.start < overhead.interval.end) own.push_back(overhead);
  }
  around_.resize(trace.ranges.size(), no_index);
  std::map<std::int64_t, std::size_t> of_thread;
  for (const NvtxRange& range : trace.ranges) ++of_thread[range.global_tid];
  for (const auto& [tid, count] : of_thread) ranges_[tid].reserve(count);
  std::map<std::int64_t, std::vector<std::uint32_t>> open;
  std::vector<std::uint32_t> depths(trace.ranges.size());
  for (std::uint32_t range = 0; range < trace.ranges.size(); ++range) {
    const std::int64_t tid = trace.ranges[range].global_tid;
    std::vector<std::uint32_t>& stack = open[tid];
    while (!stack.empty() &&
           trace.ranges[stack.back()].interval.end <= trace.ranges[range].interval.start) {
      stack.pop_back();
    }
    if (!stack.empty()) around_[range] = stack.back();
    depths[range] = static_cast<std::uint32_t>(stack.size());
    stack.push_back(range);
    ranges_[tid].push_back(range);
  }
  constexpr std::uint32_t deep = 32;
  if (std::any_of(depths.begin(), depths.end(), [](std::uint32_t depth) { return depth > deep; })) {
    skip(depths);
  }
}

// Sets the Skip of each range R. Let A be the range directly around R. Let the Skip of A lead to B,
// and the Skip of B to C. If these two Skips cross equally many levels, the Skip of R leads to C.
// Otherwise, the Skip of R leads to A.
void HostTimeline::skip(const std::vector<std::uint32_t>& depths) {
  skips_.resize(around_.size());
  for (std::uint32_t range = 0; range < around_.size(); ++range) {
    const std::uint32_t outer = around_[range];
    Skip& own = skips_[range];
    own = {outer, trace_.ranges[range].interval.end};
    if (outer == no_index) continue;
    const Skip& first = skips_[outer];
    if (first.to == no_index) continue;
    const Skip& second = skips_[first.to];
    if (second.to == no_index ||
        depths[outer] - depths[first.to] != depths[first.to] - depths[second.to]) {
      continue;
    }
    own = {second.to, std::max({own.ends, first.ends, second.ends})};
  }
}

std::span<const Overhead> HostTimeline::overheads_of(std::int64_t global_tid) const {
  const auto found = overheads_.find(global_tid);
  if (found == overheads_.end()) return {};
  return found->second;
}

std::uint32_t HostTimeline::innermost_range(std::int64_t global_tid, Ns time) const {
  const auto found = ranges_.find(global_tid);
  if (found == ranges_.end()) return no_index;
  const auto after = std::partition_point(
      found->second.begin(), found->second.end(),
      [&](std::uint32_t range) { return trace_.ranges[range].interval.start <= time; });
  if (after == found->second.begin()) return no_index;
  std::uint32_t range = *std::prev(after);
  while (range != no_index && trace_.ranges[range].interval.end <= time) {
    const bool skips = !skips_.empty() && skips_[range].ends <= time;
    range = skips ? skips_[range].to : around_[range];
  }
  return range;
}

HostTimeline::Around HostTimeline::around_most_of(std::int64_t global_tid,
                                                  Interval interval) const {
  std::vector<Ns> borders{interval.start};
  std::map<std::uint32_t, Ns> times;  // by range
  const auto border = [&](Ns time) {
    if (interval.start < time && time < interval.end) borders.push_back(time);
  };
  for (std::uint32_t range = innermost_range(global_tid, interval.start); range != no_index;
       range = around_[range]) {
    border(trace_.ranges[range].interval.end);
  }
  if (const auto found = ranges_.find(global_tid); found != ranges_.end()) {
    const auto begins_later = [&](std::uint32_t range) {
      return trace_.ranges[range].interval.start <= interval.start;
    };
    auto at = std::partition_point(found->second.begin(), found->second.end(), begins_later);
    for (; at != found->second.end(); ++at) {
      const Interval& own = trace_.ranges[*at].interval;
      if (own.start >= interval.end) break;
      border(own.start);
      border(own.end);
    }
  }
  std::sort(borders.begin(), borders.end());
  borders.push_back(interval.end);
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    times[innermost_range(global_tid, borders[i])] += borders[i + 1] - borders[i];
  }
  Around most;
  for (const auto& [range, ns] : times) {
    if (ns > most.ns) most = {range, ns};
  }
  return most;
}

}  // namespace lapscope::analyzer

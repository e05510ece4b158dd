#include "analyzer/gaps/host_timeline.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

GapCause cause_of(OverheadKind kind) {
  switch (kind) {
    case OverheadKind::profiler:
      return GapCause::profiler;
    case OverheadKind::module_load:
      return GapCause::module_load;
    case OverheadKind::command_buffer_full:
      return GapCause::launch_overhead;
  }
  return GapCause::profiler;
}

}  // namespace

GapCause cause_of(CallKind kind) {
  switch (kind) {
    case CallKind::synchronize:
      return GapCause::host_sync;
    case CallKind::copy_async:
    case CallKind::copy_blocking:
      return GapCause::pageable_copy;
    case CallKind::allocate:
    case CallKind::release:
    case CallKind::pool:
      return GapCause::alloc_free;
    case CallKind::allocate_host:
    case CallKind::release_host:
      return GapCause::host_pinning;
    case CallKind::load:
      return GapCause::module_load;
    case CallKind::launch:
    case CallKind::graph_launch:
    case CallKind::memset:
      return GapCause::launch_overhead;
    case CallKind::host_function:
    case CallKind::wait_event:
    case CallKind::record_event:
    case CallKind::query:
    case CallKind::other:
      return GapCause::host_call;
  }
  return GapCause::host_call;
}

HostTimeline::HostTimeline(const Trace& trace) : trace_(trace) {
  std::map<std::int64_t, std::int64_t> covered;
  for (std::uint32_t i = 0; i < trace.overheads.size(); ++i) {
    const Overhead& overhead = trace.overheads[i];
    const auto [end, is_first] = covered.try_emplace(overhead.global_tid, -1);
    if (overhead.interval.end <= end->second) continue;
    overheads_[overhead.global_tid].push_back(i);
    end->second = overhead.interval.end;
  }
  around_.resize(trace.ranges.size(), no_index);
  std::map<std::int64_t, std::vector<std::uint32_t>> open;
  for (std::uint32_t range = 0; range < trace.ranges.size(); ++range) {
    const std::int64_t tid = trace.ranges[range].global_tid;
    std::vector<std::uint32_t>& stack = open[tid];
    while (!stack.empty() &&
           trace.ranges[stack.back()].interval.end <= trace.ranges[range].interval.start) {
      stack.pop_back();
    }
    if (!stack.empty()) around_[range] = stack.back();
    stack.push_back(range);
    ranges_[tid].push_back(range);
  }
}

void HostTimeline::explain(std::uint32_t thread, Interval stretch, std::uint32_t issuing,
                           std::vector<GapPart>& parts) const {
  // Overheads first: they lie inside calls and are the better explanation.
  const auto overheads = overheads_.find(trace_.calls.threads[thread].global_tid);
  std::int64_t now = stretch.start;
  if (overheads != overheads_.end()) {
    const auto& members = overheads->second;
    const auto first = std::partition_point(members.begin(), members.end(), [&](std::uint32_t i) {
      return trace_.overheads[i].interval.end <= now;
    });
    for (auto member = first; member != members.end() && now < stretch.end; ++member) {
      const Overhead& overhead = trace_.overheads[*member];
      if (overhead.interval.start >= stretch.end) break;
      const std::int64_t from = std::max(now, overhead.interval.start);
      const std::int64_t to = std::min(stretch.end, overhead.interval.end);
      explain_calls(thread, {now, from}, issuing, parts);
      if (from < to) parts.push_back({{from, to}, cause_of(overhead.kind), no_index, no_index});
      now = std::max(now, to);
    }
  }
  explain_calls(thread, {now, stretch.end}, issuing, parts);
}

void HostTimeline::explain_calls(std::uint32_t thread, Interval stretch, std::uint32_t issuing,
                                 std::vector<GapPart>& parts) const {
  if (stretch.start >= stretch.end) return;
  const Calls& calls = trace_.calls;
  const Calls::Thread& own = calls.threads[thread];
  std::int64_t now = stretch.start;
  // The outermost calls are disjoint and in order.
  const auto first =
      std::partition_point(calls.end.begin() + own.first, calls.end.begin() + own.last,
                           [now](std::int64_t end) { return end <= now; });
  for (auto call = static_cast<std::uint32_t>(first - calls.end.begin());
       call < own.last && now < stretch.end; ++call) {
    if (calls.start[call] >= stretch.end) break;
    const std::int64_t from = std::max(now, calls.start[call]);
    const std::int64_t to = std::min(stretch.end, calls.end[call]);
    if (now < from) parts.push_back({{now, from}, GapCause::host_compute, no_index, no_index});
    if (from < to) {
      const GapCause cause =
          call == issuing ? GapCause::launch_overhead : cause_of(calls.kind[call]);
      parts.push_back({{from, to}, cause, call, no_index});
    }
    now = std::max(now, to);
  }
  if (now < stretch.end) {
    parts.push_back({{now, stretch.end}, GapCause::host_compute, no_index, no_index});
  }
}

std::uint32_t HostTimeline::innermost_range(std::int64_t global_tid, std::int64_t time) const {
  const auto found = ranges_.find(global_tid);
  if (found == ranges_.end()) return no_index;
  const auto after = std::partition_point(
      found->second.begin(), found->second.end(),
      [&](std::uint32_t range) { return trace_.ranges[range].interval.start <= time; });
  if (after == found->second.begin()) return no_index;
  std::uint32_t range = *std::prev(after);
  while (range != no_index && trace_.ranges[range].interval.end <= time) range = around_[range];
  return range;
}

}  // namespace lapscope::analyzer

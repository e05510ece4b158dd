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

// The first of these (by index, disjoint and in order) that ends after `time`.
template <class IntervalOf>
std::size_t first_ending_after(const std::vector<std::uint32_t>& members, std::int64_t time,
                               IntervalOf&& interval_of) {
  const auto found =
      std::partition_point(members.begin(), members.end(),
                           [&](std::uint32_t member) { return interval_of(member).end <= time; });
  return static_cast<std::size_t>(found - members.begin());
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
      return GapCause::alloc_free;
    case CallKind::allocate_host:
    case CallKind::release_host:
      return GapCause::host_pinning;
    case CallKind::load:
      return GapCause::module_load;
    case CallKind::launch:
    case CallKind::memset:
      return GapCause::launch_overhead;
    case CallKind::host_function:
    case CallKind::wait_event:
    case CallKind::other:
      return GapCause::host_call;
  }
  return GapCause::host_call;
}

HostTimeline::HostTimeline(const Trace& trace) : trace_(trace) {
  const Calls& calls = trace.calls;
  for (const Calls::Thread& thread : calls.threads) {
    std::vector<std::uint32_t>& outermost = outermost_.emplace_back();
    std::int64_t covered = -1;
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      if (calls.start[call] < covered) continue;  // inside the one before
      outermost.push_back(call);
      covered = calls.end[call];
    }
  }
  std::map<std::int64_t, std::int64_t> covered;
  for (std::uint32_t i = 0; i < trace.overheads.size(); ++i) {
    const Overhead& overhead = trace.overheads[i];
    const auto [end, is_first] = covered.try_emplace(overhead.global_tid, -1);
    if (overhead.interval.start < end->second) continue;
    overheads_[overhead.global_tid].push_back(i);
    end->second = overhead.interval.end;
  }
  std::map<std::int64_t, std::vector<std::uint32_t>> open;
  for (std::uint32_t i = 0; i < trace.ranges.size(); ++i) {
    const NvtxRange& range = trace.ranges[i];
    Nesting& nesting = nestings_[range.global_tid];
    std::vector<std::uint32_t>& stack = open[range.global_tid];
    while (!stack.empty() &&
           trace.ranges[nesting.ranges[stack.back()]].interval.end <= range.interval.start) {
      stack.pop_back();
    }
    nesting.parent.push_back(stack.empty() ? no_index : stack.back());
    stack.push_back(static_cast<std::uint32_t>(nesting.ranges.size()));
    nesting.ranges.push_back(i);
  }
}

void HostTimeline::explain(std::uint32_t thread, Interval stretch, std::uint32_t issuing,
                           std::vector<GapPart>& parts) const {
  // Overheads first: they lie inside calls and are the better explanation.
  const auto overheads = overheads_.find(trace_.calls.threads[thread].global_tid);
  std::int64_t now = stretch.start;
  if (overheads != overheads_.end()) {
    const auto& members = overheads->second;
    const auto interval_of = [this](std::uint32_t i) { return trace_.overheads[i].interval; };
    for (std::size_t i = first_ending_after(members, now, interval_of);
         i < members.size() && now < stretch.end; ++i) {
      const Overhead& overhead = trace_.overheads[members[i]];
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
  const auto& members = outermost_[thread];
  const auto interval_of = [&calls](std::uint32_t call) { return calls.interval(call); };
  std::int64_t now = stretch.start;
  for (std::size_t i = first_ending_after(members, now, interval_of);
       i < members.size() && now < stretch.end; ++i) {
    const std::uint32_t call = members[i];
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
  const auto found = nestings_.find(global_tid);
  if (found == nestings_.end()) return no_index;
  const Nesting& nesting = found->second;
  const auto after = std::partition_point(
      nesting.ranges.begin(), nesting.ranges.end(),
      [&](std::uint32_t range) { return trace_.ranges[range].interval.start <= time; });
  if (after == nesting.ranges.begin()) return no_index;
  auto at = static_cast<std::uint32_t>(after - nesting.ranges.begin() - 1);
  while (at != no_index && trace_.ranges[nesting.ranges[at]].interval.end <= time) {
    at = nesting.parent[at];
  }
  return at == no_index ? no_index : nesting.ranges[at];
}

}  // namespace lapscope::analyzer

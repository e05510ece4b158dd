#include "analyzer/gaps/find_gaps.h"

#include <algorithm>
#include <map>

namespace lapscope::analyzer {
namespace {

// What the ops of a scope had before them in their streams.
class Streams {
 public:
  Streams(const Trace& trace, const Device& device, const Scope& scope)
      : trace_(trace), device_(device) {
    for (std::uint32_t call = 0; call < trace.calls.size(); ++call) {
      if (trace.calls.kind[call] == CallKind::wait_event && trace.calls.stream[call] != no_index) {
        waits_[trace.calls.stream[call]].push_back(trace.calls.start[call]);
      } else if (trace.calls.kind[call] == CallKind::host_function) {
        host_functions_.push_back(trace.calls.start[call]);
      }
    }
    for (auto& [stream, starts] : waits_) std::sort(starts.begin(), starts.end());
    std::sort(host_functions_.begin(), host_functions_.end());
    for (const std::uint32_t op : scope.ops) {
      if (device.ops.issue[op] == no_index) continue;
      issues_[device.ops.stream[op]].push_back(trace.calls.start[device.ops.issue[op]]);
    }
    for (auto& [stream, starts] : issues_) std::sort(starts.begin(), starts.end());
  }

  // A call of the list fell between the issue of the op before in the stream and that of this one.
  bool waited_for_event(std::uint32_t op) const {
    const auto waits = waits_.find(device_.ops.stream[op]);
    return waits != waits_.end() && any_between(waits->second, op);
  }
  // The stream of a host function is in no record: any that was enqueued then may be the reason.
  bool waited_for_host_function(std::uint32_t op) const { return any_between(host_functions_, op); }

 private:
  bool any_between(const std::vector<std::int64_t>& times, std::uint32_t op) const {
    const std::int64_t issued = trace_.calls.start[device_.ops.issue[op]];
    const auto& issues = issues_.at(device_.ops.stream[op]);
    const auto own = std::lower_bound(issues.begin(), issues.end(), issued);
    const std::int64_t previous = own == issues.begin() ? -1 : *std::prev(own);
    const auto before = std::lower_bound(times.begin(), times.end(), issued);
    return before != times.begin() && *std::prev(before) > previous;
  }

  const Trace& trace_;
  const Device& device_;
  std::map<std::uint32_t, std::vector<std::int64_t>> waits_;   // by stream
  std::map<std::uint32_t, std::vector<std::int64_t>> issues_;  // by stream
  std::vector<std::int64_t> host_functions_;
};

class Explainer {
 public:
  Explainer(const Trace& trace, const Device& device, const Scope& scope, const HostTimeline& host,
            const GapOptions& options)
      : trace_(trace),
        device_(device),
        host_(host),
        options_(options),
        streams_(trace, device, scope),
        by_start_(scope.ops) {
    // Of ops that start together, the one issued first ended the gap.
    std::sort(by_start_.begin(), by_start_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Ops& ops = device.ops;
      return ops.start[a] != ops.start[b] ? ops.start[a] < ops.start[b]
                                          : ops.issue[a] < ops.issue[b];
    });
  }

  Gap explain(Interval interval) const {
    Gap gap{interval, op_starting_at(interval.end), {}};
    if (gap.next_op == no_index) {
      gap.parts.push_back({interval, GapCause::not_issued, no_index, no_index});
      return gap;
    }
    const std::uint32_t issue = device_.ops.issue[gap.next_op];
    if (issue == no_index) {
      gap.parts.push_back({interval, GapCause::unexplained, no_index, no_index});
      return gap;
    }
    // Until the issuing call returned, or the op started: the host.
    const std::int64_t issued = std::clamp(trace_.calls.end[issue], interval.start, interval.end);
    host_.explain(trace_.calls.thread[issue], {interval.start, issued}, issue, gap.parts);
    if (issued < interval.end) explain_issued({issued, interval.end}, gap);
    return gap;
  }

  void name_ranges(Gap& gap) const {
    if (gap.next_op == no_index || device_.ops.issue[gap.next_op] == no_index) return;
    const std::uint32_t thread = trace_.calls.thread[device_.ops.issue[gap.next_op]];
    for (GapPart& part : gap.parts) {
      if (!is_of_host(part.cause)) continue;
      part.range = host_.innermost_range(trace_.calls.threads[thread].global_tid,
                                         part.interval.start + part.interval.length() / 2);
    }
  }

 private:
  std::uint32_t op_starting_at(std::int64_t time) const {
    const auto found =
        std::partition_point(by_start_.begin(), by_start_.end(),
                             [&](std::uint32_t op) { return device_.ops.start[op] < time; });
    return found == by_start_.end() || device_.ops.start[*found] != time ? no_index : *found;
  }

  void explain_issued(Interval stretch, Gap& gap) const {
    if (streams_.waited_for_event(gap.next_op)) {
      gap.parts.push_back({stretch, GapCause::event_wait, no_index, no_index});
      return;
    }
    if (streams_.waited_for_host_function(gap.next_op)) {
      gap.parts.push_back({stretch, GapCause::host_func, no_index, no_index});
      return;
    }
    // The way to the GPU comes last: what lies before it has no explanation.
    const std::int64_t sent = std::max(stretch.start, stretch.end - options_.launch_latency_ns);
    if (stretch.start < sent) {
      gap.parts.push_back({{stretch.start, sent}, GapCause::unexplained, no_index, no_index});
    }
    gap.parts.push_back({{sent, stretch.end}, GapCause::launch_latency, no_index, no_index});
  }

  const Trace& trace_;
  const Device& device_;
  const HostTimeline& host_;
  const GapOptions& options_;
  Streams streams_;
  std::vector<std::uint32_t> by_start_;
};

std::vector<Interval> idle_stretches(const Activity& activity) {
  std::vector<Interval> gaps;
  std::int64_t now = activity.window.start;
  for (const Interval& busy : activity.busy.intervals()) {
    if (now < busy.start) gaps.push_back({now, busy.start});
    now = busy.end;
  }
  if (now < activity.window.end) gaps.push_back({now, activity.window.end});
  return gaps;
}

}  // namespace

Gaps find_gaps(const Trace& trace, const Device& device, const Scope& scope,
               const Activity& activity, const HostTimeline& host, const GapOptions& options) {
  const Explainer explainer(trace, device, scope, host, options);
  std::vector<Interval> gaps = idle_stretches(activity);
  Gaps result;
  for (const Interval& interval : gaps) {
    ++result.count;
    result.total_ns += interval.length();
    if (interval.length() < options.shortest_ns) {
      ++result.short_count;
      result.short_ns += interval.length();
      continue;
    }
    for (const GapPart& part : explainer.explain(interval).parts) {
      result.by_cause[static_cast<std::size_t>(part.cause)] += part.interval.length();
    }
  }
  std::erase_if(gaps, [&](const Interval& gap) { return gap.length() < options.shortest_ns; });
  const std::size_t listed = std::min(options.longest_listed, gaps.size());
  std::partial_sort(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(listed), gaps.end(),
                    [](const Interval& a, const Interval& b) {
                      return a.length() != b.length() ? a.length() > b.length() : a.start < b.start;
                    });
  for (std::size_t i = 0; i < listed; ++i) {
    result.longest.push_back(explainer.explain(gaps[i]));
    explainer.name_ranges(result.longest.back());
  }
  return result;
}

}  // namespace lapscope::analyzer

#include "analyzer/gaps/find_gaps.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

bool is_longer(const Gap& a, const Gap& b) {
  return a.interval.length() != b.interval.length() ? a.interval.length() > b.interval.length()
                                                    : a.interval.start < b.interval.start;
}

}  // namespace

GapObserver::GapObserver(const Trace& trace, const Device& device, const HostTimeline& host,
                         const StreamHolds& holds, const GapOptions& options)
    : trace_(trace), device_(device), host_(host), holds_(holds), options_(options) {}

void GapObserver::begin(std::uint32_t op, Interval) {
  ++active_;
  if (!pending_) return;
  // Of ops that start together, the one issued first ended the gap.
  const auto issued = [this](std::uint32_t candidate) {
    const std::uint32_t issue = device_.ops.issue[candidate];
    return issue == no_index ? latest_time : trace_.calls.start[issue];
  };
  if (next_op_ == no_index || issued(op) < issued(next_op_)) next_op_ = op;
}

void GapObserver::end(std::uint32_t) { --active_; }

void GapObserver::stretch(Interval interval) {
  if (pending_) close(next_op_);
  if (active_ > 0) return;
  pending_ = interval;
  next_op_ = no_index;
}

Gaps GapObserver::gaps() {
  if (pending_) close(next_op_);
  std::sort(result_.longest.begin(), result_.longest.end(), is_longer);
  for (Gap& gap : result_.longest) name_ranges(gap);
  return std::move(result_);
}

void GapObserver::close(std::uint32_t next_op) {
  const Interval interval = *pending_;
  pending_.reset();
  ++result_.count;
  result_.total_ns += interval.length();
  if (interval.length() < options_.shortest_ns) {
    ++result_.short_count;
    result_.short_ns += interval.length();
    return;
  }
  const Gap gap = explain(interval, next_op);
  for (const GapPart& part : gap.parts) {
    result_.by_cause[static_cast<std::size_t>(part.cause)] += part.interval.length();
  }
  list(gap);
}

// Keeps the longest ones as a heap, the shortest of them first.
void GapObserver::list(const Gap& gap) {
  std::vector<Gap>& longest = result_.longest;
  if (options_.longest_listed == 0) return;
  if (longest.size() == options_.longest_listed) {
    if (!is_longer(gap, longest.front())) return;
    std::pop_heap(longest.begin(), longest.end(), is_longer);
    longest.pop_back();
  }
  longest.push_back(gap);
  std::push_heap(longest.begin(), longest.end(), is_longer);
}

Gap GapObserver::explain(Interval interval, std::uint32_t next_op) const {
  Gap gap{interval, next_op, {}};
  if (next_op == no_index) {
    gap.parts.push_back({interval, GapCause::not_issued, no_index, no_index});
    return gap;
  }
  const std::uint32_t issue = device_.ops.issue[next_op];
  if (issue == no_index) {
    gap.parts.push_back({interval, GapCause::unexplained, no_index, no_index});
    return gap;
  }
  // Until the issuing call returned, or the op started: the host.
  const std::int64_t issued = std::clamp(trace_.calls.end[issue], interval.start, interval.end);
  host_.explain(trace_.calls.thread_of(issue), {interval.start, issued}, issue, gap.parts);
  if (issued < interval.end) explain_issued({issued, interval.end}, gap);
  return gap;
}

void GapObserver::explain_issued(Interval stretch, Gap& gap) const {
  if (holds_.waited_for_event(gap.next_op)) {
    gap.parts.push_back({stretch, GapCause::event_wait, no_index, no_index});
    return;
  }
  if (holds_.waited_for_host_function(gap.next_op)) {
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

void GapObserver::name_ranges(Gap& gap) const {
  if (gap.next_op == no_index || device_.ops.issue[gap.next_op] == no_index) return;
  const std::uint32_t thread = trace_.calls.thread_of(device_.ops.issue[gap.next_op]);
  for (GapPart& part : gap.parts) {
    if (!is_of_host(part.cause)) continue;
    part.range = host_.innermost_range(trace_.calls.threads[thread].global_tid,
                                       part.interval.start + part.interval.length() / 2);
  }
}

}  // namespace lapscope::analyzer

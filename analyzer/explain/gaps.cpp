#include "analyzer/explain/gaps.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

bool is_longer(const Gap& a, const Gap& b) {
  return a.interval.length() != b.interval.length() ? a.interval.length() > b.interval.length()
                                                    : a.interval.start < b.interval.start;
}

// Returns the cause with the most time. Of causes with equal times, returns the first one in the
// order of Cause.
Cause main_cause(const std::vector<GapPart>& parts) {
  TimeByCause times{};
  for (const GapPart& part : parts) {
    times[static_cast<std::size_t>(part.cause)] += part.interval.length();
  }
  return static_cast<Cause>(std::max_element(times.begin(), times.end()) - times.begin());
}

}  // namespace

GapObserver::GapObserver(const Trace& trace, const Device& device, const GapOptions& options,
                         const GapExplainer* explainer)
    : trace_(trace), device_(device), options_(options), explainer_(explainer) {
  if (explainer_) result_.by_cause.emplace();
}

void GapObserver::begin(std::uint32_t op, Interval) {
  ++active_;
  if (pending_.empty()) return;
  // If several ops start at the same time, the op that was issued first ended the gap.
  const auto issued = [this](std::uint32_t candidate) {
    const std::uint32_t issue = device_.ops.issue[candidate];
    return issue == no_index ? latest_time : trace_.calls.start[issue];
  };
  if (next_op_ == no_index || issued(op) < issued(next_op_)) next_op_ = op;
}

void GapObserver::end(std::uint32_t) { --active_; }

void GapObserver::stretch(Interval interval) {
  if (active_ > 0) return close(next_op_);
  pending_.push_back(interval);
}

Gaps GapObserver::gaps() {
  close(no_index);
  std::sort(result_.longest.begin(), result_.longest.end(), is_longer);
  return std::move(result_);
}

void GapObserver::close(std::uint32_t next_op) {
  if (pending_.empty()) return;
  for (const Interval& interval : pending_) result_.total_ns += interval.length();
  result_.count += std::ssize(pending_);
  std::vector<std::vector<GapPart>> parts(pending_.size());
  if (explainer_) parts = explainer_->explain(pending_, next_op);
  for (std::size_t i = 0; i < pending_.size(); ++i)
    add({pending_[i], next_op, std::move(parts[i])});
  pending_.clear();
  next_op_ = no_index;
}

void GapObserver::add(Gap gap) {
  for (const GapPart& part : gap.parts) {
    (*result_.by_cause)[static_cast<std::size_t>(part.cause)] += part.interval.length();
  }
  if (options_.lists_ends && gap.next_op != no_index && !gap.parts.empty()) {
    result_.ends.push_back({device_.ops.start[gap.next_op], main_cause(gap.parts)});
  }
  list(std::move(gap));
}

// Adds a gap to the longest gaps, if it belongs to them. The longest gaps are a heap with the
// shortest of them in front.
void GapObserver::list(Gap gap) {
  std::vector<Gap>& longest = result_.longest;
  if (options_.longest_listed == 0) return;
  if (longest.size() == options_.longest_listed) {
    if (!is_longer(gap, longest.front())) return;
    std::pop_heap(longest.begin(), longest.end(), is_longer);
    longest.pop_back();
  }
  longest.push_back(std::move(gap));
  std::push_heap(longest.begin(), longest.end(), is_longer);
}

GapExplainer::GapExplainer(const Sources& sources, std::uint16_t device)
    : sources_(sources), tasks_(sources.trace.devices[device].ops.size(), no_index) {
  for (std::uint32_t t = 0; t < sources.graph.tasks.size(); ++t) {
    const Task& task = sources.graph.tasks[t];
    if (task.op != no_index && task.device == device) tasks_[task.op] = t;
  }
}

std::vector<std::vector<GapPart>> GapExplainer::explain(std::span<const Interval> gaps,
                                                        std::uint32_t next_op) const {
  std::vector<std::vector<GapPart>> parts;
  if (gaps.empty()) return parts;
  if (next_op == no_index || tasks_[next_op] == no_index) {
    const Cause cause = next_op == no_index ? Cause::not_issued : Cause::unexplained;
    for (const Interval& gap : gaps) parts.push_back({{gap, cause}});
    return parts;
  }
  const auto path = critical_path(sources_, tasks_[next_op], {gaps.front().start, gaps.back().end});
  auto next = path.begin();  // the parts fill the time from the first gap to the last
  for (const Interval& gap : gaps) {
    std::vector<GapPart>& of_gap = parts.emplace_back();
    while (next->interval.end <= gap.start) ++next;
    // This loop does not advance `next`, because a part that ends after this gap may also lie in
    // the next gap.
    for (auto at = next; at != path.end() && at->interval.start < gap.end; ++at) {
      GapPart part = part_of(*at);
      part.interval = part.interval.within(gap);
      if (!of_gap.empty() && of_gap.back().cause == part.cause && of_gap.back().call == part.call &&
          of_gap.back().thread == part.thread) {
        of_gap.back().interval.end = part.interval.end;
      } else {
        of_gap.push_back(part);
      }
    }
  }
  return parts;
}

GapPart GapExplainer::part_of(const Part& path) const {
  GapPart part{path.interval, path.cause};
  if (path.step == no_index || !is_of_host(path.cause)) return part;
  const std::uint32_t call = sources_.graph.steps[path.step].call;
  part.thread = sources_.trace.calls.thread_of(call);
  if (!path.is_gap) part.call = call;
  return part;
}

}  // namespace lapscope::analyzer

#include "analyzer/gaps/gaps.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

bool is_longer(const Gap& a, const Gap& b) {
  return a.interval.length() != b.interval.length() ? a.interval.length() > b.interval.length()
                                                    : a.interval.start < b.interval.start;
}

}  // namespace

GapObserver::GapObserver(const Trace& trace, const Device& device, const GapOptions& options,
                         const GapExplainer* explainer)
    : trace_(trace), device_(device), options_(options), explainer_(explainer) {
  if (explainer_) result_.by_cause.emplace();
}

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
  Gap gap{interval, next_op, {}};
  if (explainer_) gap.parts = explainer_->explain(interval, next_op);
  for (const GapPart& part : gap.parts) {
    (*result_.by_cause)[static_cast<std::size_t>(part.cause)] += part.interval.length();
  }
  list(std::move(gap));
}

// Keeps the longest ones as a heap, the shortest of them first.
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

std::vector<GapPart> GapExplainer::explain(Interval gap, std::uint32_t next_op) const {
  if (next_op == no_index) return {{gap, Cause::not_issued}};
  if (tasks_[next_op] == no_index) return {{gap, Cause::unexplained}};
  std::vector<GapPart> parts;
  for (const PathPart& path : critical_path(sources_, tasks_[next_op], gap)) {
    const GapPart part = part_of(path);
    if (!parts.empty() && parts.back().cause == part.cause && parts.back().call == part.call &&
        parts.back().thread == part.thread) {
      parts.back().interval.end = part.interval.end;
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

GapPart GapExplainer::part_of(const PathPart& path) const {
  GapPart part{path.interval, path.cause};
  if (path.step == no_index || !is_of_host(path.cause)) return part;
  const Step& step = sources_.graph.steps[path.step];
  part.thread = sources_.trace.calls.thread_of(step.call);
  if (path.interval.start < step.end) part.call = step.call;
  return part;
}

}  // namespace lapscope::analyzer

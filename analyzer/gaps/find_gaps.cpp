#include "analyzer/gaps/find_gaps.h"

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
  if (pending_.empty()) return;
  // Of ops that start together, the one issued first ended the gap.
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
  std::erase_if(pending_, [this](const Interval& interval) {
    ++result_.count;
    result_.total_ns += interval.length();
    if (interval.length() >= options_.shortest_ns) return false;
    ++result_.short_count;
    result_.short_ns += interval.length();
    return true;
  });
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

}  // namespace lapscope::analyzer

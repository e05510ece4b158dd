#include "analyzer/measures/collectives.h"

#include <algorithm>
#include <functional>

namespace lapscope::analyzer {

bool CollectiveObserver::is_collective(std::uint32_t op) const {
  return subject_.engine(op) == Engine::communication;
}

void CollectiveObserver::begin(std::uint32_t op, Interval clipped) {
  if (!is_collective(op)) return;
  const std::uint32_t name = subject_.device.ops.name[op];
  CollectiveResult& collective = by_name_[name];
  ++collective.ops;
  collective.sum_ns += clipped.length();
  active_.push_back(name);
}

void CollectiveObserver::end(std::uint32_t op) {
  if (!is_collective(op)) return;
  active_.erase(std::find(active_.begin(), active_.end(), subject_.device.ops.name[op]));
}

void CollectiveObserver::stretch(Interval interval) {
  if (active_.empty() || (activity_.now() & classes::compute) == 0) return;
  for (const std::uint32_t name : active_) by_name_[name].hidden_ns += interval.length();
}

std::vector<CollectiveResult> CollectiveObserver::collectives(const Names& names) const {
  std::vector<CollectiveResult> result;
  for (const auto& [name, collective] : by_name_) {
    result.push_back(collective);
    result.back().name = names.text(name);
  }
  std::ranges::stable_sort(result, std::greater(), &CollectiveResult::sum_ns);
  return result;
}

}  // namespace lapscope::analyzer

#include "analyzer/measures/activity.h"

#include <algorithm>
#include <stdexcept>

namespace lapscope::analyzer {

IntervalSet Activity::copies() const {
  return unite(unite(of(Engine::h2d), of(Engine::d2h)), of(Engine::other_copy));
}

Activity activity_of(const Ops& ops) {
  Activity activity;
  activity.window = ops.interval(0);
  std::array<std::vector<Interval>, all_engines.size()> by_engine;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    const Interval interval = ops.interval(op);
    activity.window.start = std::min(activity.window.start, interval.start);
    activity.window.end = std::max(activity.window.end, interval.end);
    if (__builtin_add_overflow(activity.sum, interval.length(), &activity.sum)) {
      throw std::overflow_error("the durations of the ops add up to more than 2^63 ns");
    }
    by_engine[static_cast<std::size_t>(ops.engine[op])].push_back(interval);
  }
  for (const Engine engine : all_engines) {
    const auto index = static_cast<std::size_t>(engine);
    activity.engines[index] = IntervalSet::union_of(std::move(by_engine[index]));
    activity.busy = unite(activity.busy, activity.engines[index]);
  }
  return activity;
}

}  // namespace lapscope::analyzer

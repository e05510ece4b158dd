#include "analyzer/analysis/activity_strip.h"

#include <algorithm>

#include "analyzer/scope/tiles.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t stretches = 240;  // two for each column of a wide terminal

}  // namespace

StripObserver::StripObserver(const ActivityObserver& activity, Interval window)
    : activity_(activity) {
  strip_.borders = equal_borders(window, stretches);
  const std::size_t size = strip_.borders.size() - 1;
  for (auto& of_engine : strip_.busy_ns) of_engine.resize(size);
  strip_.idle_ns.resize(size);
}

void StripObserver::stretch(Interval interval) {
  const Classes active = activity_.now() & classes::engines;
  while (interval.start < interval.end) {
    while (strip_.borders[now_ + 1] <= interval.start) ++now_;
    const std::int64_t until = std::min(interval.end, strip_.borders[now_ + 1]);
    const std::int64_t ns = until - interval.start;
    for (const Engine engine : all_engines) {
      if ((active & class_of(engine)) != 0) {
        strip_.busy_ns[static_cast<std::size_t>(engine)][now_] += ns;
      }
    }
    if (active == 0) strip_.idle_ns[now_] += ns;
    interval.start = until;
  }
}

}  // namespace lapscope::analyzer

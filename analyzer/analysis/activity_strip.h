#pragma once

#include "analyzer/analysis/report.h"
#include "analyzer/measures/activity.h"

namespace lapscope::analyzer {

// Collects how busy each engine was over time, from a sweep in which the activity is observed, too.
class StripObserver {
 public:
  // `activity` must outlive it.
  StripObserver(const ActivityObserver& activity, Interval window);

  void begin(std::uint32_t, Interval) {}
  void end(std::uint32_t) {}
  void stretch(Interval interval);

  // After the sweep.
  const ActivityStrip& strip() const { return strip_; }

 private:
  const ActivityObserver& activity_;
  ActivityStrip strip_;
  std::size_t now_ = 0;  // the stretch of the strip that the sweep is in
};

}  // namespace lapscope::analyzer

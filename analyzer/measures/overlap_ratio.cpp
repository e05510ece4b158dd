#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {

// 0 when ops follow each other without a gap; 2/3 when three engines share the time perfectly;
// negative when idle time outweighs overlap.
constinit const Measure overlap_ratio = {
    "overlap_ratio", MeasureUnit::ratio, "1 - wall / sum", [](const Activity& activity) {
      return ratio_or(activity.sum - activity.window.length(), activity.sum, "all ops take 0 ns");
    }};

}  // namespace lapscope::analyzer

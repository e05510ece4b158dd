#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {

constinit const Measure busy_overlap_ratio = {
    "busy_overlap_ratio", MeasureUnit::ratio, "1 - busy / sum", [](const Activity& activity) {
      return ratio_or(activity.sum - activity.busy(), activity.sum, "all ops take 0 ns");
    }};

}  // namespace lapscope::analyzer

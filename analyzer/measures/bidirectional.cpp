#include <algorithm>

#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {

constinit const Measure bidirectional = {
    "bidirectional", MeasureUnit::ratio, "|h2d ∩ d2h| / min(|h2d|, |d2h|)",
    [](const Activity& activity) {
      return ratio_or(activity.time_with_both(classes::h2d, classes::d2h),
                      std::min(activity.time_with(classes::h2d), activity.time_with(classes::d2h)),
                      "no copies in one of the directions");
    }};

}  // namespace lapscope::analyzer

#include <limits>

#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {

constinit const Measure kernel_concurrency = {
    "kernel_concurrency",
    MeasureUnit::ratio,
    "Σ|kernel| / |∪ kernels|",
    [](const Activity& activity) {
      return ratio_or(activity.kernel_sum, activity.time_with(classes::kernel), "no kernels");
    },
    Better::more,
    std::numeric_limits<double>::infinity()};

constinit const Measure kernel_overlap = {
    "kernel_overlap", MeasureUnit::ratio, "time with two kernels or more / |∪ kernels|",
    [](const Activity& activity) {
      return ratio_or(activity.time_with(classes::kernels), activity.time_with(classes::kernel),
                      "no kernels");
    }};

constinit const Measure comm_hidden = {
    "comm_hidden", MeasureUnit::ratio, "|comm ∩ other compute| / |comm|",
    [](const Activity& activity) {
      return ratio_or(activity.time_with_both(classes::comm, classes::beside_comm),
                      activity.time_with(classes::comm), "no communication kernels");
    }};

}  // namespace lapscope::analyzer

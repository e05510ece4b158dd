#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {

constinit const Measure kernel_concurrency = {
    "kernel_concurrency", MeasureUnit::ratio, "Σ|kernel| / |∪ kernels|",
    [](const Activity& activity) {
      return ratio_or(activity.kernel_sum, activity.kernel_union, "no kernels");
    }};

constinit const Measure kernel_overlap = {
    "kernel_overlap", MeasureUnit::ratio, "time with two kernels or more / |∪ kernels|",
    [](const Activity& activity) {
      return ratio_or(activity.kernels_overlapped, activity.kernel_union, "no kernels");
    }};

constinit const Measure comm_hidden = {
    "comm_hidden", MeasureUnit::ratio, "|comm ∩ other compute| / |comm|",
    [](const Activity& activity) {
      return ratio_or(intersect(activity.comm, activity.compute_beside_comm).length(),
                      activity.comm.length(), "no communication kernels");
    }};

}  // namespace lapscope::analyzer

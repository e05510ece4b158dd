#include <algorithm>

#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {
namespace {

// The least time that the same ops can take: no copy engine does two copies at once, and the
// compute engine is a capacity that grids fill in part or in whole.
std::int64_t bound(const Activity& activity) {
  const std::int64_t compute = activity.compute_area < 0
                                   ? activity.time_with(classes::compute)
                                   : std::max(activity.compute_area, activity.longest_kernel);
  return std::max({compute, activity.sum_of(Engine::h2d), activity.sum_of(Engine::d2h),
                   activity.sum_of(Engine::other_copy)});
}

}  // namespace

// 1 when the window is as short as its busiest engine allows; 0 when nothing of the possible saving
// was realised; negative when idle time makes it longer than the serial program.
constinit const Measure overlap_efficiency = {
    "overlap_efficiency", MeasureUnit::ratio, "(sum - wall) / (sum - bound of the busiest engine)",
    [](const Activity& activity) {
      return ratio_or(activity.sum - activity.window.length(), activity.sum - bound(activity),
                      "one engine does all the work: there is nothing to overlap");
    }};

}  // namespace lapscope::analyzer

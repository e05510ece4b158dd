#include <algorithm>

#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {
namespace {

// Returns the share of copy time during which kernels run, whether they compute or communicate.
Value hidden(Classes copies, const Activity& activity, const char* reason) {
  return ratio_or(activity.time_with_both(copies, classes::compute | classes::comm),
                  activity.time_with(copies), reason);
}

}  // namespace

constinit const Measure copy_hidden = {
    "copy_hidden", MeasureUnit::ratio, "|copies ∩ (compute ∪ comm)| / |copies|",
    [](const Activity& activity) {
      return hidden(classes::copies, activity, "no copies on copy engines");
    }};

constinit const Measure h2d_hidden = {
    "h2d_hidden", MeasureUnit::ratio, "|h2d ∩ (compute ∪ comm)| / |h2d|",
    [](const Activity& activity) {
      return hidden(classes::h2d, activity, "no copies to the device on a copy engine");
    }};

constinit const Measure d2h_hidden = {
    "d2h_hidden", MeasureUnit::ratio, "|d2h ∩ (compute ∪ comm)| / |d2h|",
    [](const Activity& activity) {
      return hidden(classes::d2h, activity, "no copies to the host on a copy engine");
    }};

constinit const Measure bidirectional = {
    "bidirectional", MeasureUnit::ratio, "|h2d ∩ d2h| / min(|h2d|, |d2h|)",
    [](const Activity& activity) {
      return ratio_or(activity.time_with_both(classes::h2d, classes::d2h),
                      std::min(activity.time_with(classes::h2d), activity.time_with(classes::d2h)),
                      "no copies in one of the directions");
    }};

}  // namespace lapscope::analyzer

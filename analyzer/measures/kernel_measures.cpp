#include <cmath>
#include <limits>
#include <optional>

#include "analyzer/intervals/units.h"
#include "analyzer/measures/measure.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns the sum of the times that the kernels would take alone. Returns empty if this sum is not
// known well enough: the difference of its bounds is above assumed::noteworthy * Σ|kernel|.
std::optional<Ns> kernel_alone(const Activity& activity) {
  const double doubt = activity.kernel_alone_most - activity.kernel_alone_least;
  const auto sum = static_cast<double>(activity.kernel_sum);
  if (activity.kernel_alone_least < 0 || doubt > assumed::noteworthy * sum) return std::nullopt;
  return std::llround(activity.kernel_alone_least);
}

constexpr const char* not_known_alone =
    "kernels overlap, and the trace does not show how long each takes alone";

}  // namespace

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
    "kernel_overlap", MeasureUnit::ratio, "time with two or more kernels / |∪ kernels|",
    [](const Activity& activity) {
      return ratio_or(activity.time_with(classes::kernels), activity.time_with(classes::kernel),
                      "no kernels");
    }};

// Is 1 if kernels run side by side as fast as alone. Is K if K kernels side by side take as long as
// the same kernels one after the other.
constinit const Measure stretch = {"stretch",
                                   MeasureUnit::ratio,
                                   "Σ|kernel| / Σ|kernel alone|",
                                   [](const Activity& activity) -> Value {
                                     const auto alone = kernel_alone(activity);
                                     if (!alone) return Undefined{not_known_alone};
                                     return ratio_or(activity.kernel_sum, *alone, "no kernels");
                                   },
                                   Better::less,
                                   std::numeric_limits<double>::infinity()};

// As overlap_ratio, but each kernel counts with the time that it takes alone. Overlapping kernels
// may slow each other down. The time that this costs does not count as overlap here.
constinit const Measure overlap_ratio_alone = {
    "overlap_ratio_alone",
    MeasureUnit::ratio,
    "1 - wall / sum, with kernels as if each ran alone",
    [](const Activity& activity) -> Value {
      const auto alone = kernel_alone(activity);
      if (!alone) return Undefined{not_known_alone};
      const Ns sum = activity.sum - activity.kernel_sum + *alone;
      return ratio_or(sum - activity.window.length(), sum, "all ops take 0 ns");
    },
    Better::more,
    1,
    true};

constinit const Measure comm_hidden = {
    "comm_hidden", MeasureUnit::ratio, "|comm ∩ compute| / |comm|", [](const Activity& activity) {
      return ratio_or(activity.time_with_both(classes::comm, classes::compute),
                      activity.time_with(classes::comm), "no communication kernels");
    }};

}  // namespace lapscope::analyzer

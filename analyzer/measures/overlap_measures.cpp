#include <algorithm>

#include "analyzer/intervals/units.h"
#include "analyzer/measures/measure.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

// Is 0 if ops follow each other without a gap, and 2/3 if three engines are busy all the time. Is
// negative if there is more idle time than overlap.
constinit const Measure overlap_ratio = {"overlap_ratio",
                                         MeasureUnit::ratio,
                                         "1 - wall / sum",
                                         [](const Activity& activity) {
                                           return ratio_or(activity.sum - activity.window.length(),
                                                           activity.sum, "all ops take 0 ns");
                                         },
                                         Better::more,
                                         1,
                                         true};

constinit const Measure busy_overlap_ratio = {
    "busy_overlap_ratio", MeasureUnit::ratio, "1 - busy / sum", [](const Activity& activity) {
      return ratio_or(activity.sum - activity.busy(), activity.sum, "all ops take 0 ns");
    }};

namespace {

// Returns the least time that the same ops can take. A copy engine does one copy after the other.
// On the compute engine, each grid fills a part of the device or all of it. Communication sets no
// bound, because one trace does not show which part of it is a wait for a peer. The result is at
// most the busy time. Without this limit, it would be too long in two cases: a device has several
// copy engines for one direction, or a kernel begins while the last blocks of the previous kernel
// still run.
Ns bound(const Activity& activity) {
  const Ns compute = activity.compute_area < 0
                         ? activity.time_with(classes::compute)
                         : std::max(activity.compute_area, activity.longest_kernel);
  const Ns to_device = activity.sum_of(Engine::h2d);
  const Ns to_host = activity.sum_of(Engine::d2h);
  const Ns copies = activity.one_copy_engine ? to_device + to_host : std::max(to_device, to_host);
  const Ns busiest = std::max({compute, copies, activity.sum_of(Engine::other_copy)});
  return std::min(busiest, activity.busy());
}

}  // namespace

// Is 1 if the window is as short as its busiest engine allows. Is 0 if the window is as long as all
// ops one after the other. Is negative if idle time makes the window even longer.
constinit const Measure overlap_efficiency = {
    "overlap_efficiency",
    MeasureUnit::ratio,
    "(sum - wall) / (sum - lower bound of wall)",
    [](const Activity& activity) {
      const Ns possible = activity.sum - bound(activity);
      // If almost nothing can be saved, the denominator is so small that a little idle time would
      // change the ratio by any amount.
      const bool is_little =
          static_cast<double>(possible) < assumed::least_saving * static_cast<double>(activity.sum);
      return ratio_or(activity.sum - activity.window.length(), is_little ? 0 : possible,
                      "one engine does nearly all the work: almost nothing can overlap");
    },
    Better::more,
    1,
    true};

}  // namespace lapscope::analyzer

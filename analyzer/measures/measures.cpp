#include "analyzer/measures/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
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

// Returns the share of copy time during which kernels run, whether they compute or communicate.
Value hidden(Classes copies, const Activity& activity, const char* reason) {
  return ratio_or(activity.time_with_both(copies, classes::compute | classes::comm),
                  activity.time_with(copies), reason);
}

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

// Measures of what a scope's main thread did between its calls, as shares of the scope's time on
// the host. They come from samples of host threads, which an Activity does not have. So compute()
// of these measures returns Undefined, and the analysis sets their values.
Value nobody_looked(const Activity&) {
  return Undefined{"no samples of host threads were taken (record --host-samples)"};
}

constexpr Measure of_host(std::string_view name, std::string_view definition) {
  return {name, MeasureUnit::ratio, definition, nobody_looked, Better::less};
}

}  // namespace

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

constexpr Measure kernel_concurrency = {
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

constinit const Measure comm_hidden = {
    "comm_hidden", MeasureUnit::ratio, "|comm ∩ compute| / |comm|", [](const Activity& activity) {
      return ratio_or(activity.time_with_both(classes::comm, classes::compute),
                      activity.time_with(classes::comm), "no communication kernels");
    }};

constinit const Measure wall = {
    "wall", MeasureUnit::ns, "time from the start of the first op to the end of the last",
    [](const Activity& activity) -> Value { return Nanoseconds{activity.window.length()}; },
    Better::less};

constinit const Measure busy = {
    "busy", MeasureUnit::ns, "time in which at least one op runs",
    [](const Activity& activity) -> Value { return Nanoseconds{activity.busy()}; },
    Better::neither};

constinit const Measure sum = {
    "sum", MeasureUnit::ns, "sum of the durations of all ops",
    [](const Activity& activity) -> Value { return Nanoseconds{activity.sum}; }, Better::neither};

constinit const Measure other_work = {
    "other_work", MeasureUnit::ns, "time in which only ops outside the scope run",
    [](const Activity& activity) -> Value { return Nanoseconds{activity.other_work}; },
    Better::neither};

constinit const Measure idle = {
    "idle", MeasureUnit::ns, "wall - busy - other_work",
    [](const Activity& activity) -> Value { return Nanoseconds{activity.idle()}; }, Better::less};

constinit const Measure idle_ratio = {"idle_ratio", MeasureUnit::ratio, "idle / wall",
                                      [](const Activity& activity) {
                                        return ratio_or(activity.idle(), activity.window.length(),
                                                        "the window takes 0 ns");
                                      },
                                      Better::less};

// bare_wall and corrected_wall cannot be computed from an Activity. The analysis computes bare_wall
// from bare runs, and corrected_wall from the time that recording adds.
constinit const Measure bare_wall = {
    "bare_wall", MeasureUnit::ns, "median time of the NVTX range on the host in runs without CUPTI",
    [](const Activity&) -> Value {
      return Undefined{"no bare runs of an NVTX range (record --bare 3)"};
    },
    Better::less};

constinit const Measure corrected_wall = {
    "corrected_wall", MeasureUnit::ns, "wall minus the time that recording adds",
    [](const Activity&) -> Value {
      return Undefined{"the time that recording adds is not known (doctor --calibrate)"};
    },
    Better::less};

constexpr Measure host_data_loading =
    of_host("host_data_loading", "share of time in which the main thread makes batches");
constexpr Measure host_dispatch =
    of_host("host_dispatch", "share of time in which an array library issues operators");
constexpr Measure host_optimizer =
    of_host("host_optimizer", "share of time in which the optimizer runs between its calls");
constexpr Measure host_garbage_collection =
    of_host("host_garbage_collection", "share of time in which Python collects garbage");
constexpr Measure host_logging_and_io =
    of_host("host_logging_and_io", "share of time in which the main thread logs, reads or writes");
constexpr Measure host_lock = of_host(
    "host_lock", "share of time in which the main thread waits for a lock or another thread");
constexpr Measure host_process_wait = of_host(
    "host_process_wait", "share of time in which the main thread waits for another process");
constexpr Measure host_sleep =
    of_host("host_sleep", "share of time in which the main thread sleeps");
constexpr Measure host_user =
    of_host("host_user", "share of time in which the program's own code runs between its calls");
constexpr Measure host_other =
    of_host("host_other", "share of time in which other libraries run between calls");
constexpr Measure host_unknown =
    of_host("host_unknown", "share of time between calls in which the activity is not known");

constexpr const Measure* all[] = {
    &overlap_ratio,
    &overlap_ratio_alone,
    &busy_overlap_ratio,
    &overlap_efficiency,
    &copy_hidden,
    &h2d_hidden,
    &d2h_hidden,
    &bidirectional,
    &kernel_concurrency,
    &kernel_overlap,
    &stretch,
    &comm_hidden,
    &idle_ratio,
    &wall,
    &busy,
    &sum,
    &other_work,
    &idle,
};

constexpr const Measure* of_some[] = {
    &bare_wall,           &corrected_wall, &host_data_loading,
    &host_dispatch,       &host_optimizer, &host_garbage_collection,
    &host_logging_and_io, &host_lock,      &host_process_wait,
    &host_sleep,          &host_user,      &host_other,
    &host_unknown};

std::span<const Measure* const> measures() { return all; }
std::span<const Measure* const> measures_of_some() { return of_some; }

const Measure* find_measure(std::string_view name) {
  for (const auto& some : {measures(), measures_of_some()}) {
    for (const Measure* measure : some) {
      if (measure->name == name) return measure;
    }
  }
  return nullptr;
}

}  // namespace lapscope::analyzer

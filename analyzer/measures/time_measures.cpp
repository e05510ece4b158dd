#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {

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

constinit const Measure idle_ratio = {"idle_ratio", MeasureUnit::ratio, "idle / wall",
                                      [](const Activity& activity) {
                                        return ratio_or(activity.idle(), activity.window.length(),
                                                        "the window takes 0 ns");
                                      },
                                      Better::less};

}  // namespace lapscope::analyzer

#pragma once

#include <span>
#include <string_view>

#include "analyzer/measures/activity.h"
#include "analyzer/measures/value.h"

namespace lapscope::analyzer {

enum class MeasureUnit { ns, ratio };

// Which way a measure has to go for the program to have become better at overlapping.
enum class Better { more, less, neither };

// One figure about a device. Renderers know units, not measures. To add a measure, define a Measure
// in the file of its kind, and add one line to measure_registry.cpp.
struct Measure {
  std::string_view name;
  MeasureUnit unit;
  std::string_view definition;  // the formula, for people
  Value (*compute)(const Activity&);
  Better better = Better::more;
  double most = 1;  // what a ratio can be at most; without meaning for times
};

// All measures, the headline first.
std::span<const Measure* const> measures();

// Measures that only some scopes have: bare_wall of NVTX ranges in traces with bare runs,
// corrected_wall where the recorder's own time is known, and measures of the host where it is
// recorded what threads did.
std::span<const Measure* const> measures_of_some();

// One of either. Null when there is none of that name.
const Measure* find_measure(std::string_view name);

// In overlap.cpp, copies.cpp, kernels.cpp, times.cpp and host.cpp.
extern const Measure overlap_ratio;
extern const Measure busy_overlap_ratio;
extern const Measure overlap_efficiency;
extern const Measure copy_hidden;
extern const Measure h2d_hidden;
extern const Measure d2h_hidden;
extern const Measure bidirectional;
extern const Measure kernel_concurrency;
extern const Measure kernel_overlap;
extern const Measure stretch;
extern const Measure overlap_ratio_alone;
extern const Measure comm_hidden;
extern const Measure idle_ratio;
extern const Measure wall;
extern const Measure busy;
extern const Measure sum;
extern const Measure other_work;
extern const Measure idle;
// The measures in measures_of_some().
extern const Measure bare_wall;
extern const Measure corrected_wall;
// Likewise, in host.cpp: one for each kind of work in analyzer/host_time.
extern const Measure host_data_loading;
extern const Measure host_dispatch;
extern const Measure host_optimizer;
extern const Measure host_garbage_collection;
extern const Measure host_logging_and_io;
extern const Measure host_lock;
extern const Measure host_process_wait;
extern const Measure host_sleep;
extern const Measure host_user;
extern const Measure host_other;
extern const Measure host_unknown;

}  // namespace lapscope::analyzer

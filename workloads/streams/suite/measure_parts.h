#pragma once

#include <functional>

#include "workloads/harness/copy_times.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// Fills in what copies of a tile take; see harness/copy_times.h.
void measure_copies(PartTimes& parts, const Shape& shape,
                    const std::function<void()>& launch_kernel = {});

// The median of five measurements of `once`, after one that is left out: the first calls of a
// process, or of a kind, set things up, and a single later one may be disturbed.
double warm_median(const std::function<double()>& once);

// Fills in what a launch takes, and a launch with the wait for it. Three launches.
void measure_round_trip(PartTimes& parts);

}  // namespace lapscope::workloads::streams

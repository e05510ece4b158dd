#pragma once

#include <cstddef>
#include <functional>

#include "workloads/harness/handles.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// Tiles of host memory that measuring a direction of the link takes.
constexpr std::size_t calibration_tiles = 6;

// Fills in what copies of a tile between pinned memory and the current device take, alone and with
// both directions and, if it is given, the kernel of a tile running. `launch_kernel` puts one
// launch into a stream of the caller. Waits. 32 copies, in memory of its own.
void measure_copies(PartTimes& parts, const Shape& shape,
                    const std::function<void()>& launch_kernel = {});

// The median of five measurements of `once`, after one that is left out: the first calls of a
// process, or of a kind, set things up, and a single later one may be disturbed.
double warm_median(const std::function<double()>& once);

// Fills in what a launch takes, and a launch with the wait for it. Three launches.
void measure_round_trip(PartTimes& parts);

}  // namespace lapscope::workloads::streams

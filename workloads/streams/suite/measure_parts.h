#pragma once

#include "workloads/harness/handles.h"
#include "workloads/streams/suite/expectation.h"

namespace lapscope::workloads::streams {

// Fills in what copies of a tile between pinned memory and the current device take, alone and with
// both directions running. Waits. Twelve copies, in memory of its own.
void measure_copies(PartTimes& parts, const Shape& shape);

// Fills in what a launch takes, and a launch with the wait for it. Three launches.
void measure_round_trip(PartTimes& parts);

}  // namespace lapscope::workloads::streams

#pragma once

#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The share of the time beside communication kernels that a rank's other kernels lose. A value of
// 0.5 means: these kernels get as far in 2 us beside communication as they get in 1 us alone.
//
// Blocks of communication kernels occupy multiprocessors. The other kernels have only the rest:
//
//              alone      beside communication
//   SM 0, 1    AA         ccc     A and B each have 4 blocks
//   SM 2, 3    AA         A.A.
//
// - `least`: a kernel slows down in proportion to the multiprocessors that it lacks.
// - `most`: the blocks of a kernel run in rounds, and on fewer multiprocessors it may need more
//   rounds. A kernel with one block for each multiprocessor then takes twice as long.
//
// A kernel that leaves enough multiprocessors free loses nothing. Both values are means over all
// kernels that do not communicate, weighted by duration. The shared throughput of memory is left
// out.
struct LostBeside {
  Share least = 0;
  Share most = 1;
};

// Returns what the kernels of a device lose. `communication` is a result of communication_names().
// Kernels whose size is not known, and kernels beside communication of unknown size, may lose
// anything between 0 and 1.
LostBeside lost_beside(const Device& device, const std::vector<bool>& communication);

}  // namespace lapscope::analyzer

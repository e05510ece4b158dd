#pragma once

#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The share of the time beside communication kernels that a rank's other kernels lose. A value of
// 0.5 means: these kernels get as far in 2 us beside communication as they get in 1 us alone.
//
// Blocks of communication kernels (c) occupy multiprocessors. The blocks of another kernel (k) have
// only the rest, and may need more rounds. Each column is a round:
//
//           alone    beside communication
//   SM 0    k        cc
//   SM 1    k        cc
//   SM 2    k        kk
//   SM 3    k        kk
//
// - `most`: the kernel needs whole rounds more, such as two instead of one in the drawing. A round
//   has one block on each multiprocessor, or as many as fit there, whichever gives the greater
//   loss.
// - `least`: as many blocks as fit on a multiprocessor run there at once, and do not slow each
//   other. The loss is at most the share of occupied multiprocessors.
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

#pragma once

#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// How much communication kernels slow down the other kernels of a rank. At 0.5, other kernels take
// 2 us beside communication for work that takes 1 us alone.
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
// - `most`: both numbers of rounds are rounded up, as in the drawing. A round has one block on each
//   multiprocessor, or as many as fit there, whichever gives the greater loss.
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

// Returns how much communication kernels slow down the other kernels of a device. `communication`
// is a result of communication_names(). The loss of a kernel of unknown size is between 0 and 1.
// The same holds for all kernels if no communication kernel has a known size.
LostBeside lost_beside(const Device& device, const std::vector<bool>& communication);

}  // namespace lapscope::analyzer

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Returns how fast the host can issue the communication kernels of a rank. The value of a kernel is
// the host's own time, in ns, from the call that issued the first kernel to the call that issued
// this kernel. The host needs this time even if no other rank is late. `calls`: the call that
// issued each kernel, by start of the kernels; no_index if not known.
//
//   thread    [launch A]--work--[synchronize......][launch B]--work--[launch C]
//   own time  0                                    8                 17
//
// Own time excludes all times in which a thread of the process may have waited for a device:
// - calls that synchronize, copy or free memory,
// - polls by a thread that issued one of the kernels: two or more queries of one row (PollRow),
// - the part of any other call that exceeds the median length of its function, because this part
//   may be a wait for room in the launch queue.
//
// Waits in all threads of the process are excluded, because the issuing thread may wait for another
// thread. Waits without CUDA calls, such as those of MPI, are own time.
std::vector<Ns> host_times(const Trace& trace, std::span<const std::uint32_t> calls);

}  // namespace lapscope::analyzer

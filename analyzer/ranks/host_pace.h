#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// How fast the host can issue the communication kernels of a rank. Each kernel has one value: the
// time that the host worked on its own until it issued the kernel, in ns since it issued the first
// one. A rank cannot begin its kernels faster, even if no other rank is late. `calls` has the call
// that issued each kernel, in the order in which the kernels started; no_index if it is not known.
//
//   thread    [launch A]--work--[synchronize......][launch B]--work--[launch C]
//   own time  0                                    8                 17
//
// Time in which the process may have waited for a device is not own time: calls that synchronize,
// copy or free memory, and polls of a thread that issued one of the kernels. A poll is a row of
// queries without another call between them. Of other calls, what exceeds the median length of
// their function may be a wait for room in the launch queue. The waits of all threads of the
// process are left out, because one thread may wait for another. Waits without CUDA calls, such as
// those of MPI, are own time.
std::vector<Ns> host_times(const Trace& trace, std::span<const std::uint32_t> calls);

}  // namespace lapscope::analyzer

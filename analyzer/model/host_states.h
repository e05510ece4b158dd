#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// What a thread did between its CUDA calls, from a record that does not come from CUPTI.
struct HostState {
  enum class Kind : std::uint8_t {
    os_call,      // in a function of the operating system's library: poll, pthread_mutex_lock
    mpi_call,     // in a function of MPI
    not_running,  // off the processor
    sample,       // in this function at one instant; its length is 0
  };
  Kind kind = Kind::os_call;
  std::uint32_t name = 0;  // in Trace::names; not used for not_running
  Interval interval;
};

// The states of each thread of Trace::calls, sorted by start. Empty if the trace has no states.
using HostStates = std::vector<std::vector<HostState>>;

}  // namespace lapscope::analyzer

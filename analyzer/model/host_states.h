#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// What a thread did between its CUDA calls, as far as anybody but CUPTI saw it.
struct HostState {
  enum class Kind : std::uint8_t {
    os_call,      // in a function of the operating system's library: poll, pthread_mutex_lock
    mpi_call,     //
    not_running,  // off the processor
    sample,       // in this function at one instant; of no length
  };
  Kind kind = Kind::os_call;
  std::uint32_t name = 0;  // in Trace::names; of not_running none
  Interval interval;
};

// The states of each thread of Trace::calls, by start; empty where the trace has none.
using HostStates = std::vector<std::vector<HostState>>;

}  // namespace lapscope::analyzer

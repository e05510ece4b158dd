#pragma once

#include "analyzer/model/trace.h"
#include "readers/nsys/host_records.h"

namespace lapscope::analyzer::nsys {

// What an export tells of threads that call CUDA as Trace::host_states: functions of the operating
// system, MPI, when a thread was off its processor, and samples of what it ran (the innermost
// function with a name).
void add_host_states(const HostRecords& records, Trace& trace);

}  // namespace lapscope::analyzer::nsys

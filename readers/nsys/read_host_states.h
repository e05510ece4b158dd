#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer::nsys {

// Reads what an export tells of threads that call CUDA into Trace::host_states: functions of the
// operating system (outermost ones), MPI, when a thread was off its processor, and samples of what
// it ran (the innermost function with a name).
void read_host_states(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer::nsys

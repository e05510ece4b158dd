#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Adds to Trace::host_states how long threads were off their processor between two calls, by what
// the collector read of their clocks (LAPSCOPE_CPU_TIMES). Traces without readings have none.
//
//   thread    [call]...........[call]        R: a reading, with the time on a processor so far
//   readings       R 10       R 13           of 11 between the two it was on one for 3
//   state           ########                 8
//
// A state is at the begin of its pause, as if the thread slept first: so it is no longer than the
// thread was off its processor in any part of the pause that reaches to its end, such as what the
// GPU waits for. What it ran for since a reading ahead of the pause counts as run in the pause.
void read_cpu_times(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer

#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Adds to Trace::host_states how long threads were off their processor between two calls. The
// source is the collector's readings of thread clocks (LAPSCOPE_CPU_TIMES). Traces without readings
// get no states.
//
//   thread    [call]...........[call]        R: a reading, with the time on a processor so far
//   readings       R 10       R 13           between them, 11 pass and the thread runs for 3
//   state           ########                 it is off its processor for 8
//
// The readings do not show where in the pause the thread was off its processor. The state is placed
// at the start of the pause, as if the thread slept first. As little of the state as possible then
// lies in the last part of the pause. In that part, the GPU may wait for the thread. A reading can
// lie outside the pause. Time on a processor between the pause and this reading is then added to
// the time in the pause.
void read_cpu_times(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer

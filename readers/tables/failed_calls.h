#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Adds a row to the head of Trace::health for each sort of call that failed, by what the calls
// returned: launches, copies and memsets, whose work the program then lacks, and waits, which show
// that a kernel failed. A call inside another one is not counted besides that. If more than
// hardly_any launches, or copies, failed, the run is not what it is to be.
//
// Does nothing for traces that do not record what calls returned.
void add_failed_calls(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer

#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Infers module loads for a trace without load records. The first launch of a function is taken as
// a load if it takes far longer than other launches. Only the time before its kernel starts counts.
// The first launch is determined separately for each process and device. Adds these loads to
// Trace::overheads, and a health row. Functions are distinguished by full name, because each
// instantiation of a template is loaded separately.
//
//   thread   [launch k<int> 15.9 ms    ][launch k<int> 3 us][launch k<float> 14 ms   ]
//
// Afterwards, records of loads are no longer reported as missing.
void infer_loads(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer

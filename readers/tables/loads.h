#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// For a trace without records of code being loaded: the first launch of a function in a process and
// on a device that takes far longer than launches do is taken to have loaded its code, and
// Trace::overheads and a health row say so. Functions are distinguished by their full names: each
// instantiation of a template is loaded by itself.
//
//   thread   [launch k<int> 15.9 ms    ][launch k<int> 3 us][launch k<float> 14 ms   ]
//
// After that no record is missing that would show loading.
void infer_loads(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer

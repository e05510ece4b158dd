#pragma once

#include "analyzer/model/trace.h"

namespace lapscope::analyzer::nsys {

// Of an export without records of code being loaded, as Nsight Systems wrote none before 2025.5:
// the first launch of a kernel in a process that takes far longer than launches do is taken to have
// loaded the kernel's code, and Trace::overheads and a health row say so.
//
//   thread   [launch k 15.9 ms    ][launch k 3 us][launch k 3 us]
//
// After that no record is missing that would tell of loading.
void infer_loads(Trace& trace);

}  // namespace lapscope::analyzer::nsys
